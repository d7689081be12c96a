"""Sessions of the runtime: what they are given, on which device, and what they answer."""
