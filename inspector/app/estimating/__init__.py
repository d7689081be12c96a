"""What is estimated for devices that are not here, and the ceilings of those that are."""
