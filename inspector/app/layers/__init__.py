"""The outputs of a model's layers, alone or beside those of another run.

Start at `walking.py`; `across_formats.py` compares with the same network in another form.
"""
