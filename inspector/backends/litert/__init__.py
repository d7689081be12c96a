"""LiteRT (TensorFlow Lite) as a backend; from the extra `litert`.

Start at `backend.py`. `profiler.py` times operators through the library's C interface.
"""
