"""Numbers without reports: intervals, significance, process repetitions, CPU speed.

Start at `significance.py`: do two sets of samples differ? Methods are in docs/method.md.
"""
