"""What TensorRT's tools write about an engine, as JSON."""
