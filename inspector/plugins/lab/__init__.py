"""The plugin of labs: machines that share one queue of jobs through a hub."""
