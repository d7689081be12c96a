"""Suggestions with evidence and expected gain; one module for each kind of evidence.

Start at `rules.py`, the list of all rules.
"""
