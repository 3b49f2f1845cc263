"""Reports on shared data; nothing here is a test of its own."""
