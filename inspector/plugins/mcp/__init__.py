"""The plugin of assistants: a server of the Model Context Protocol (MCP)."""
