"""The recorder for programs that are not Python, as a library that Inspector finds here."""
