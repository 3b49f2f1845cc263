"""How well references are matched with records, and how fast and in how few calls they are fetched."""
