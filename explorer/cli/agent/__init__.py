"""``mcp``: the explorer's answers as tools of an agent, which only read one folder."""
