"""Language models: probabilities of the next token, and scores of texts."""
