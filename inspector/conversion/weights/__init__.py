"""Actions that store weights in fewer bits."""
