"""Reports next to each other: aligned layers, changes, conditions for CI.

Start at `comparison.py`.
"""
