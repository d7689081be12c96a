"""What Inspector says, as values: numbers with units, names, sentences, and languages."""
