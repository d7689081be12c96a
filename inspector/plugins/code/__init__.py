"""The plugin of generated code: whole programs that call a model, in several languages."""
