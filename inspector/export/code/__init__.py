"""Jinja templates of programs that call a model, one for each language."""
