"""Services of the operating system. Start at `files.py`: limited reads, atomic writes."""
