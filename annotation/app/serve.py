"""Running the page: uvicorn on loopback unless told otherwise."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from annotation.app.display import warm
from annotation.app.where import address_of, announced
from annotation.rounds.settings import AnnotateSettings
from dalil.corpus import Corpus
from dalil.errors import StateError


def serve(corpus: Corpus, own: AnnotateSettings, ready: Callable[[str], None] = lambda address: None) -> None:
    """Serve until interrupted; `ready` gets the address once it listens.

    Addresses carry people's personal links, so requests are not logged.
    Raises StateError when the port cannot be had.
    """
    import uvicorn

    from annotation.app.server import create_app

    app = create_app(corpus, own)
    listening = _listen(own.host, own.port)
    config = uvicorn.Config(
        app, access_log=False, log_level="warning", server_header=False, proxy_headers=False
    )
    server = uvicorn.Server(config)
    address = own.address or address_of(own.host, listening.getsockname()[1])
    threading.Thread(target=warm, daemon=True).start()
    try:
        # Ctrl-C is how it ends: uvicorn closes first, then passes it on
        with announced(corpus.path, address), suppress(KeyboardInterrupt):
            ready(address)
            server.run(sockets=[listening])
    finally:
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(128)
    except OSError as error:
        raise StateError(
            f"cannot listen on {host}:{port}: {error.strerror or error}",
            todo="choose another with --port, or stop what runs there",
        ) from error
    return made
