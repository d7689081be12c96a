"""Commands about the program itself: its settings, plugins, runtimes and samples."""
