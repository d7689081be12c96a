"""Estimated cost of one run from tensor shapes: operations, memory traffic, peak memory.

Start at `estimate.py`.
"""
