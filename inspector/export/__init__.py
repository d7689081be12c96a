"""Reports, comparisons, sweeps and traces become files.

Start at `registry.py`, the list of formats.
"""
