"""The Weights tab: every tensor a file carries, and what is in it when asked."""
