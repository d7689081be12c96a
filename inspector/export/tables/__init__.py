"""Exports that are rows: CSV, JUnit, JSON.

Start at `layers_csv.py`.
"""
