"""Model families: how each is recognized, what its inputs take, how its outputs read.

Start at `family_table.py` and `image_families.py`.
"""
