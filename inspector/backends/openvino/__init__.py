"""OpenVINO as a backend, for ONNX, TensorFlow Lite and its own models; extra `openvino`.

Start at `backend.py`. `layer_times.py` finds the layers of the model in what OpenVINO executes.
"""
