"""JATS articles (XML of the Journal Article Tag Suite, and NLM's before it)."""

from veriscite.reading.jats.read import read_jats

__all__ = ["read_jats"]
