"""The plugin of actions that few need: edits of single layers, files that runtimes write."""
