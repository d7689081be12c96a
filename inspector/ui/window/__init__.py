"""The main window: bars, panes, menus and the session.

Start at `main_window.py`.
"""
