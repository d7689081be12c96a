"""Outputs of known families of models as what they mean. Pure functions."""
