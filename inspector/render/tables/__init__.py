"""Exports that are rows: CSV, JUnit, JSON.

Start at `report_csv.py`.
"""
