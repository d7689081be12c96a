"""Sweeps and tuning on the Performance tab.

Start at `view.py`.
"""
