"""Sweeps over settings and the search for the fastest ones.

Start at `runner.py`.
"""
