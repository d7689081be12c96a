"""Facts that follow from a model, a report or a trace. Pure functions without I/O.

Start at `facts/` for models, `measured/` for reports, `advice/` for suggestions.
"""
