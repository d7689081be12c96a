"""The Weights tab.

Start at `tab.py`.
"""
