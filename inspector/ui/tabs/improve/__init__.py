"""The Improve tab: make the model smaller or faster, and prove that it is still right.

Start at `tab.py`.
"""
