"""Traces of this and other programs, as of Chrome and Perfetto. Start at `detection.py`."""
