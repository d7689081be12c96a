"""The window. Qt is imported here and nowhere else.

Start at `app/application.py` and `window/main_window.py`.
"""
