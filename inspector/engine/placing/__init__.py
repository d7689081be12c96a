"""Which layers a device could run, and why not: asked, probed, or looked up in a table."""
