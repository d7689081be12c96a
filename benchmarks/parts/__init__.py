"""What several benchmarks share, and the peers that they are held beside; no programs."""
