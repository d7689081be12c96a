"""Changes to a model: actions such as float16 and int8, recipes of them, and their result.

`registry.py` lists the actions. `action.py` has the values; it loads no library, so that the
window and the command line can list actions. Everything that loads `onnx` runs in the engine
process, through `apply.py`.
"""
