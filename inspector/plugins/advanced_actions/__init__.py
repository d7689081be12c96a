"""The plugin of actions that few need: edits of single layers, files of ONNX Runtime's own."""
