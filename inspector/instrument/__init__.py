"""The instrument: what another program does with ONNX Runtime, recorded as it runs.

`store`, `watch` and `arrival` work inside the other program, under its own interpreter:
they know the standard library only. The rest reads what they wrote.
"""
