"""Images, audio and tokenizers are decoded in a confined process of their own.

Start at `decoder_process.py`, the side that asks.
"""
