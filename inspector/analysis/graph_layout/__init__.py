"""Layered graph drawing: from a model to boxes, frames and lines.

Start at `layout.py`.
"""
