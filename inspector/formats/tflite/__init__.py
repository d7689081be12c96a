"""TensorFlow Lite models, read without the runtime. Start at `reader.py`."""
