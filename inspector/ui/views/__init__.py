"""Views beside those of one model: machines, history, and reports side by side."""
