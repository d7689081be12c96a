"""The window with the history of reports: a list, and the trend of what is selected in it.

Start at `view.py`.
"""
