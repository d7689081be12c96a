"""Preview: file <-> tensor <-> something to look at."""
