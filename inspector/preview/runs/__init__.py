"""More than one prediction: folders, comparison of two runs, generation, expected outputs.

Start at `folder.py`.
"""
