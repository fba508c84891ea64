"""Writing the server into the configuration of MCP clients."""
