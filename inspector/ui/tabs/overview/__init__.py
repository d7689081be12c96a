"""The Overview tab: what the file says.

Start at `tab.py`.
"""
