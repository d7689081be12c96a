"""What a timeline shows where: geometry, state, search; no painting.

Start at `state.py`.
"""
