"""The Trace view of a recording or an opened trace.

Start at `tab.py`.
"""
