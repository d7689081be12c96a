"""LiteRT-LM bundles: a language model for phones, with its tokenizer, in one file."""
