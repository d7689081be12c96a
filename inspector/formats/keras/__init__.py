"""Keras models: the configuration of the layers, without their weights, which are in HDF5."""
