"""The Performance tab."""
