"""OpenVINO as a backend for three formats; extra `openvino`. Start at `backend.py`."""
