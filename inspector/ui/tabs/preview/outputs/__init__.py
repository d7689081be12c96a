"""Views of a model's outputs.

Start at `output_view.py`.
"""
