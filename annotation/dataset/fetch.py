"""Getting a published data set's files: all of them, checked against what the paper states, or none."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from annotation.dataset.checks import Check, figures
from annotation.dataset.published import Download, Published, published
from annotation.dataset.rows import new_folder
from dalil.errors import DalilError, InputError, StateError, UsageError
from dalil.wording import counted

ATTEMPTS = 3
FETCHABLE = ("arastance",)


def fetch(
    name: str, folder: Path, *, base: str | None = None, say: Callable[[str], None] = lambda line: None
) -> list[Check]:
    """Download a data set into a new folder (`data/…` in it). Returns the checks of its figures.

    Each file must be as long as its server says; then sizes of splits and counts of labels must be those
    of the paper. Otherwise nothing is kept. `base` is another address that holds the same files.
    Raises UsageError (unknown name, folder not empty), DalilError (offline, incomplete, other counts).
    """
    if name not in FETCHABLE:
        raise UsageError(f"{name!r} cannot be fetched", todo=f"one of {', '.join(FETCHABLE)}")
    stated = published(name)
    assert stated.download is not None
    if base is not None and not base.startswith(("http://", "https://")):
        raise UsageError(f"{base!r} is no address", todo="give one that begins with http:// or https://")
    folder = new_folder(folder)
    beside = folder.with_name(folder.name + ".part")
    try:
        shutil.rmtree(beside, ignore_errors=True)
        (beside / "data").mkdir(parents=True)
        for file in stated.download.files:
            url = urljoin((base or stated.download.base).rstrip("/") + "/", file)
            body = _get(url, stated.download, own_host=urlsplit(url).netloc if base else None)
            (beside / "data" / file).write_bytes(body)
            say(f"{file}: {counted(len(body), 'byte')}")
        checks = _checked(beside, stated)
        if folder.exists():
            folder.rmdir()
        beside.rename(folder)
    except OSError as error:
        raise StateError(
            f"cannot be written: {error.strerror}", where=folder, todo="check disk and path"
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return checks


def _get(url: str, stated: Download, own_host: str | None) -> bytes:
    """A file's bytes. Raises DalilError where the server cannot be reached or sends something else."""
    from dalil.net.session import Service, Session
    from dalil.stages import Transient

    by_hand = f"check the connection, or download {', '.join(stated.files)} from {stated.page} by hand"
    service = Service(
        urlsplit(url).hostname or "download", attempts=ATTEMPTS, patience=30.0, own_host=own_host
    )
    try:
        reply = Session(service).get(url)
    except Transient as error:
        raise DalilError(f"cannot be downloaded: {error}", where=url, todo=by_hand) from error
    if reply.status != 200:
        raise DalilError(f"cannot be downloaded: HTTP {reply.status}", where=url, todo=by_hand)
    length = {name.lower(): value for name, value in reply.headers.items()}
    encoded = length.get("content-encoding", "identity") not in ("", "identity")
    stated_length = length.get("content-length", "")
    if not encoded and stated_length.isdigit() and int(stated_length) != len(reply.body):
        raise DalilError(
            f"came incomplete: {len(reply.body):,} of {counted(int(stated_length), 'byte')}",
            where=url,
            todo="run it again",
        )
    return reply.body


def _checked(folder: Path, stated: Published) -> list[Check]:
    from annotation.dataset.reading import read_dataset

    try:
        data = read_dataset(folder)
    except InputError as error:
        raise DalilError(
            f"what was downloaded is not {stated.name}: {error.what}",
            where=Path(error.where).name if error.where else None,
            todo=f"see {stated.download.page if stated.download else ''}",
        ) from error
    checks = figures(data, stated)
    wrong = [check for check in checks if check.status == "differs"]
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise DalilError(
            f"what was downloaded differs from the paper: {wrong[0].line().split('  ', 1)[1].strip()}{more}",
            where=stated.name,
            todo=f"see {stated.download.page if stated.download else ''}; nothing was kept",
        )
    return checks
