"""The worker side, inside the engine process. Start at `handlers.py`, the list of jobs."""
