"""Saved results as values: performance reports, sweeps, tunings, and the library of them.

Start at `report.py`.
"""
