"""Models on machines: a window with a table that fills while all machines measure at once.

`measuring` runs the sweep, `places` has what can be chosen, `table` draws the cells, `view` is
the window.
"""
