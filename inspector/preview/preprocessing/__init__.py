"""How an image becomes the tensor a model expects: guessed, chosen, saved.

Start at `guess.py`.
"""
