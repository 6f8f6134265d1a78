"""dalil (دليل, "evidence"): claim–article and tweet–reply corpora for fact-checking."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("dalil")
except PackageNotFoundError:  # an unpacked wheel or a clone that was not installed
    __version__ = "0.1.0"
