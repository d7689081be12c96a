"""Charts as shapes, and their SVG and PNG files.

Start at `drawing.py`.
"""
