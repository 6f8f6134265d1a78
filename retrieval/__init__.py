"""From a claim to the documents that bear on it."""
