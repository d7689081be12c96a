"""Tensor values: element types, differences, agreement within a tolerance, statistics.

Start at `prediction.py`, the outputs of one run.
"""
