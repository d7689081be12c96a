"""The timeline of a trace: `model/` without painting, `render/`, `widget/`.

Start at `widget/card.py`.
"""
