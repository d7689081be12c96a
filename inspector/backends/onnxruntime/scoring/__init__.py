"""Scores of the tokens of a text, by one forward pass for each window."""
