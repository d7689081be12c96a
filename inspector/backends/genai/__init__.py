"""ONNX Runtime GenAI as a runtime of its own: a folder runs as in programs that ship it."""
