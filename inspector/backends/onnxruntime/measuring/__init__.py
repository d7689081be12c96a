"""A measurement: a clean pass, then a profiled one. Start at `measure.py`."""
