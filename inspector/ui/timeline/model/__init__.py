"""The timeline's state without painting: geometry, rows, search, selection.

Start at `state.py`.
"""
