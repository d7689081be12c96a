"""PyTorch's archives without pickles: exported programs (.pt2) and TorchScript."""
