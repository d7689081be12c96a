"""Facts that follow from a model file: precision, requirements, shapes, quantization.

Start at `model_facts.py`.
"""
