"""A plugin of ours with one of each: one file for each group."""
