"""Recording what other Python programs do with ONNX Runtime.

Start at `launch.py`; `import_hook.py` runs inside the recorded program. Its children are
recorded as well: Python programs that it starts inherit the environment that `launch.py` sets,
forked ones get a part of their own in `store.py`, those that escape (`python -I`) are named by
`unrecorded_python.py`, and `recorded_processes.py` reads what all of them left.
"""
