"""The page of a measurement: `page.py` has its order, the others its sections."""
