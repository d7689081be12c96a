"""Pages about language models: answers, folders, memory, speed, quality."""
