"""The engine process, in which models run: `client/` asks what `requests.py` lists, and
`worker/` answers; `protocol.py` and `payloads.py` are between them."""
