"""A prediction layer by layer, and what it is held against."""
