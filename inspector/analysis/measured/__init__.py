"""Numbers derived from a measurement: latency, layer sums, noise, roofline, phases, partitions.

Start at `sample_statistics.py` and `latency.py`.
"""
