"""The widgets of a timeline.

Start at `card.py`.
"""
