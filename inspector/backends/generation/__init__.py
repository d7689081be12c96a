"""The loop that generates text, for all runtimes whose decoders take tokens step by step."""
