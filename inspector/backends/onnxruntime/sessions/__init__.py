"""Sessions: devices, options, inputs and outputs, refusals. Start at `session.py`."""
