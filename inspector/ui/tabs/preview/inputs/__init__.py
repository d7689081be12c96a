"""Editors for a model's inputs.

Start at `input_editor.py`.
"""
