"""Results of language models as values: generated text, speed token by token, quality."""
