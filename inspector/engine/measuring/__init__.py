"""One measurement: its passes, and what they say of each layer of the model."""
