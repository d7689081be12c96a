"""Use cases of language models: a chat, its speed, its quality."""
