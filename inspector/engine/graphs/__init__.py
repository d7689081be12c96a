"""What the runtime and ONNX make of a model's graphs: names, types and shapes."""
