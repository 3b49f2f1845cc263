"""How well the product reads and links; see `__main__`."""
