"""Spans on one clock in tracks and lanes: storage, aggregation and level of detail.

Start at `trace.py`, the class that everything else reads.
"""
