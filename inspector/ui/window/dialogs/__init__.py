"""The dialogs of the window, each imported when it is first opened."""
