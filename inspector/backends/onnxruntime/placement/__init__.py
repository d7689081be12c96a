"""Placement of layers on devices, and failures. Start at `placement.py`."""
