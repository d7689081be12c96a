"""Steps that edit a model: its graph, its layers, its inputs and outputs."""
