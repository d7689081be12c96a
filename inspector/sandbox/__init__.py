"""Confinement of processes that read files of strangers. Start at `confinement.py`."""
