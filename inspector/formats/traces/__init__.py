"""Traces of this and other programs: runtime profiles, Chrome JSON, Perfetto.

Start at `detection.py`.
"""
