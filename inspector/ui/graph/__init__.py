"""The Graph tab: camera, scene, painting, search.

Start at `tab.py`.
"""
