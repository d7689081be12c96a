"""The Preview tab: inputs, prediction, outputs.

Start at `tab.py` and `prediction_pipeline.py`.
"""
