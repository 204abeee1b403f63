"""The exchange between two tasks: channels, credits, and records over network buffers."""
