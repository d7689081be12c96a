"""The plugin of actions that few need: files that runtimes write."""
