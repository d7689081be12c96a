"""Edit mode of the graph: what an edit would do is drawn in place, before it is applied."""
