"""Charts as shapes, whatever shows them: the window, or a file of a renderer.

Start at `drawing.py`.
"""
