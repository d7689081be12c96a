"""Images, audio and tokenizers, decoded in confinement. Start at `decoder_process.py`."""
