"""ONNX Runtime: sessions, measuring, profiling, attribution, placement, stepping.

Loaded only in an engine process. Start at `sessions/session.py`.
"""
