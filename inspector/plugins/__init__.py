"""Our own plugins: what few need, or what needs an account, a phone or a server.

Each is a folder with the modules that `inspector/platform/plugins.py` lists, one for each group
that it adds to. Nothing else of Inspector imports what lies here, and all else works without.
"""
