"""Pages of what runs models: devices, runtimes, machines, and what they support."""
