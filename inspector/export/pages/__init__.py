"""Exports that are documents: HTML, Markdown, PDF.

Start at `html.py`.
"""
