"""Hostile input for every parser: `python -m tests.fuzz` mutates, `python -m tests.fuzz.blowup` grows."""
