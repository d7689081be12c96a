"""Object detectors: how each family writes its boxes.

Start at `detectors.py`, which recognizes the family.
"""
