"""What `[sites]` and `[corpus] contact` of corpus.toml name, for `dalil doctor`."""

from __future__ import annotations

from collections.abc import Iterator

from dalil.config import Config
from dalil.errors import DalilError
from dalil.net.local import local_server
from spiders.crawl.settings import contact_problem, no_contact
from spiders.sites import CollectSettings, load_site


def named(config: Config) -> Iterator[DalilError]:
    """Sites that there are none of, definitions that are wrong, and sites named without a contact."""
    names = config.section("sites", CollectSettings).names
    for name in names:
        try:
            load_site(name, config.path.parent)
        except DalilError as error:
            yield error
    problem = contact_problem(config.corpus.contact)
    if names and problem is not None and not (problem == "is missing" and local_server() is not None):
        yield no_contact(problem, config)
