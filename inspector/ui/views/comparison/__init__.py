"""The window that compares reports.

Start at `view.py`.
"""
