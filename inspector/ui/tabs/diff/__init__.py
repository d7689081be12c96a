"""Two models side by side: their graphs, and what differs between them.

Start reading at `view.py`.
"""
