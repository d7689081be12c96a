"""The runtime's profile becomes layers, trace and copies of a report.

Start at `evaluation.py`.
"""
