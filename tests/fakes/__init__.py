"""Fake servers over real sockets that fail in the ways the real ones do."""
