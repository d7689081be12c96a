"""Search for files that break the reader: `make fuzz` or `python -m fuzz`."""
