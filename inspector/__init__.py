"""Inspector: what an ONNX model is, what it answers, how fast it runs and on what."""

__version__ = "0.1.0"
