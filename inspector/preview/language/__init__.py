"""Chats as the text that a model continues, and its tokens as text.

Start at `chat_template.py`.
"""
