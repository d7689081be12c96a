"""Start of the application, and the tour that runs it without hands.

Start at `application.py`.
"""
