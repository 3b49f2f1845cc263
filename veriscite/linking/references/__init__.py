"""Reference lists in plain text: split into entries, each parsed into fields."""

from veriscite.linking.references.list_parser import PlainListParser

__all__ = ["PlainListParser"]
