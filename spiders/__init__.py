"""Gathering: pages of sites and of articles, and what they say."""
