"""Support tables of execution providers, and predictions for devices that are absent.

Start at `support_prediction.py`.
"""
