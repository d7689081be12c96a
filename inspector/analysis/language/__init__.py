"""Language models: what is computed for folders, next tokens, memory and quality."""
