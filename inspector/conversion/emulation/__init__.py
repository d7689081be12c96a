"""Models that compute on float32 kernels what hardware with another type computes."""
