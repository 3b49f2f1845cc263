"""Chat models behind one port, and the prompts that they are given."""
