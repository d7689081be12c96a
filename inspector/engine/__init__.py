"""The engine process: all code that runs a model runs in it.

`requests.py` is what one can ask; `client/` starts and asks it, `worker/` answers inside it,
`protocol.py` is the pipe between, and `payloads.py` what lies in files.
"""
