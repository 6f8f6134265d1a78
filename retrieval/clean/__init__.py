"""From the claim as a site prints it to the claim as it is searched for.

`clean` is the pure function, `Clean` the stage. The rules are data: data/cleaning/rules.toml.
"""

from retrieval.clean.engine import clean
from retrieval.clean.rules import Rules, load_rules
from retrieval.clean.stage import Clean, CleanSettings

__all__ = ["Clean", "CleanSettings", "Rules", "clean", "load_rules"]
