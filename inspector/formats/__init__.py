"""Files become models or traces, by content, not by name. Start at `opening.py`."""
