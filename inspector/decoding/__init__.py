"""Pictures, compressed sounds and tokenizers: read natively, so in processes of their own."""
