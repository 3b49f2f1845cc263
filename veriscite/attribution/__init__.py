"""Which words of claim and evidence decided a verdict."""
