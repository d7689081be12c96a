"""The plugin of Qualcomm AI Hub: models measured on devices of a service."""
