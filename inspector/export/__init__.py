"""Files made from reports, comparisons, sweeps and traces.

Start at `registry.py`, the list of formats.
"""
