"""The ONNX reader: a lazy scan without weights, then graph and types. Start at `reader.py`."""
