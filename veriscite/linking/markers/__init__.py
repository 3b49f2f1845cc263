"""Citation markers: found by shape, read by the style of the whole document, tied to the list."""
