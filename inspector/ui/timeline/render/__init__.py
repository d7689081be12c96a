"""Painting of a timeline's rows, axis and text.

Start at `canvas.py`.
"""
