"""Programs that call a model, one language a file; `call_code` chooses among them."""
