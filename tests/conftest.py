"""Property tests are the same on every run and every machine: no clock decides whether one passes."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("dalil", deadline=None, derandomize=True)
settings.load_profile("dalil")
