"""Models that are changed: conversions, their checks and remedies, searches for the best one.

Start at `conversion_check.py` (one conversion) and `improvement.py` (a search).
"""
