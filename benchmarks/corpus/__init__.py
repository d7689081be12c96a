"""Nets as people export them, for what is said of attribution; made here, never committed."""
