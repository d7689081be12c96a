"""Open models and traces as observable state, without widgets.

Start at `document.py` and `workspace.py`.
"""
