"""ONNX Runtime's own format (.ort), read from FlatBuffers. Start at `ort_model.py`."""
