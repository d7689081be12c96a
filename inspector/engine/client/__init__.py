"""The client side of engine processes. Start at `engine_process.py`."""
