"""What the structure of a text is told in."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from veriscite.reading.latex.cites import Cite
from veriscite.reading.latex.numbers import Label


@dataclass(frozen=True)
class Block:
    """A paragraph or a heading, as TeX; `level` is None for a paragraph."""

    tex: str
    level: int | None = None


@dataclass
class Structure:
    """What a text holds.

    Attributes:
        blocks: In reading order; notes and captions follow the paragraph that they stand in.
        cites: Each citation; its index stands in the TeX of a block.
        bibliographies: The contents of each `thebibliography`.
        lists: Files named as reference lists.
        unread_cites: How many citations stood in tables and other parts that are left out.
        empty_cites: Citation commands without keys, as they stand.
        numbers: What the labels stand for; known before the text is read.
    """

    blocks: list[Block] = field(default_factory=list)
    cites: list[Cite] = field(default_factory=list)
    bibliographies: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    title: str | None = None
    unread_cites: int = 0
    empty_cites: list[str] = field(default_factory=list)
    numbers: Mapping[str, Label] = field(default_factory=dict)
