"""TensorFlow Lite models (.tflite), read from FlatBuffers without the runtime.

Start at `reader.py`.
"""
