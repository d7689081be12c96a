"""Files become models or traces; the reader is chosen by content, not by name.

Start at `opening.py`.
"""
