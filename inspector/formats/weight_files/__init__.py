"""Files of weights without a graph: safetensors and GGUF."""
