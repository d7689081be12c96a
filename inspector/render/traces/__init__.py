"""Traces for other viewers.

Start at `trace_content.py`.
"""
