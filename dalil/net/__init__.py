"""Everything that touches a network goes through here."""
