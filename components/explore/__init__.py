"""The place Explore: graphs, inspector, IDs, decisions, task internals, exchanges."""
