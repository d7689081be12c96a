"""Completion scripts of shells: what they offer, and how each shell is told."""
