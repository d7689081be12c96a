"""Widgets that several tabs use.

Start at `parts.py` and `theme.py`.
"""
