"""The runtime's profile becomes layers, trace and copies. Start at `evaluation.py`."""
