"""A prediction layer by layer, alone or against a reference. Start at `stepping.py`."""
