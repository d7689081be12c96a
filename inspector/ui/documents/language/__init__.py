"""What a document does with a language model: a conversation, and the model that answers."""
