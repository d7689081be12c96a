"""LiteRT (TensorFlow Lite) as a backend; from the extra `litert`. Start at `backend.py`."""
