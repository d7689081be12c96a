"""Graphs prepared for the runtime. Start at `layer_names.py`."""
