"""What is open and what is done with it: it owns the values that views observe."""
