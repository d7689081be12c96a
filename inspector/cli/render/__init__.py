"""Results as text for a terminal.

Start at `report_summary.py`.
"""
