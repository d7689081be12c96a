"""ONNX Runtime, for engine processes. Start at `sessions/session.py`."""
