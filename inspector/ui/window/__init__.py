"""The window itself: bars and panes around the document in front."""
