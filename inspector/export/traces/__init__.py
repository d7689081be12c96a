"""Traces for other viewers.

Start at `chrome_json.py`.
"""
