"""Decoders: outputs become classes, boxes, masks, text, audio.

Start at `results.py`, and `scene.py` for everything drawn on an image.
"""
