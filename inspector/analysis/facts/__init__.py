"""What a model file implies: precision, requirements, shapes, quantization.

Start at `model_facts.py`.
"""
