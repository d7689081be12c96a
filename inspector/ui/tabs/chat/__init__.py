"""The Chat tab: a conversation with a language model, token by token."""
