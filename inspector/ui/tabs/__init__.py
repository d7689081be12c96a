"""One folder for each tab; each has a `tab.py` or `view.py`."""
