"""`python -m dalil`."""

from dalil.cli import main

main()
