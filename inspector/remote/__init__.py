"""Other machines: jobs that run on them, the agent that runs them, and the lines in between.

`messages` has what crosses a line, `agent` the program on the other machine with its `blobs`
and `jobs`, `connection` this end of a line, `remote_engine` an engine whose process is
elsewhere, and `machines` the list of machines that the user added.
"""
