"""The Performance tab: settings, a measurement in progress, the report.

Start at `tab.py`.
"""
