"""Image preprocessing: from an image to the tensor that a model expects; guessed or chosen.

Start at `guess.py`.
"""
