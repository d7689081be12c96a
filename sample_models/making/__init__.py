"""How each sample model is made; `make_models.py` beside this folder runs it."""
