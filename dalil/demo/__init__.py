"""The demo: a small corpus written for dalil, served on loopback, walked through every stage."""
