"""What `[sites]` and `[corpus] contact` of corpus.toml name, for `dalil doctor`."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Config
from dalil.errors import DalilError
from dalil.net.local import local_server, reserved
from spiders.crawl.settings import contact_problem, no_contact
from spiders.sites import CollectSettings, load_site


def named(config: Config) -> Iterator[DalilError]:
    """Sites that there are none of, definitions that are wrong, and sites named without a contact.

    Sites that only a local server plays (as the demo's) can be collected without one.
    """
    real = False
    for name in config.section("sites", CollectSettings).names:
        try:
            site = load_site(name, config.path.parent)
        except DalilError as error:
            yield error
            real = True
        else:
            real = real or not site.start or not all(reserved(url) for url in site.start)
    problem = contact_problem(config.corpus.contact)
    if real and problem is not None and not (problem == "is missing" and local_server() is not None):
        yield no_contact(problem, config)
