"""Reports side by side in a window of their own."""
