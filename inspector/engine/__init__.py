"""Engine: a RunSpec becomes a report. The only room that knows ONNX Runtime."""
