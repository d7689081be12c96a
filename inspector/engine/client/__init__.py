"""The client side: starts, supervises and stops engine processes.

Start at `engine_process.py`.
"""
