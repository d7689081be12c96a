"""Charts of language models: speed token by token."""
