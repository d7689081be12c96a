"""Timing of predictions, for all runtimes. Start at `clean_pass.py`."""
