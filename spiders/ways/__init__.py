"""Ways in: how claims are got out of a kind of site, one a file."""
