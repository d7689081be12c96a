"""The ONNX reader: a lazy scan that leaves weights in the file, then graph and types.

Start at `reader.py`.
"""
