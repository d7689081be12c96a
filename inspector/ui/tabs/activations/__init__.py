"""The Layer outputs tab, step by step.

Start at `tab.py`.
"""
