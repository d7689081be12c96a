"""One golden file for each surface that people read: its whole text, on fixed reports.

A changed sentence shows up here as one diff. Look at it, then write the files again with
`INSPECTOR_WRITE_GOLDENS=1 python -m pytest tests/golden`.
"""
