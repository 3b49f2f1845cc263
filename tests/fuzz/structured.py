"""Mutations that keep XML and JSON well-formed, so that what comes behind the parser is reached."""

# ruff: noqa: E501 - data is easier to read unwrapped

import copy
import json
import random
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tests.fuzz.mutate import TOKENS

_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1e308, 10**30, "", " ", "x" * 5_000, [], {}, [[]], [None], {"a": {}}, "2020-13-99", "\u0000",
    [[2020, 5]], [["2020"]], {"literal": "WHO"}, {"family": ["a"]}, "<i>a</i>", ["\ud800"],
)  # fmt: skip


def _text(rng: random.Random) -> str:
    text = " ".join(rng.choice(TOKENS) for _ in range(rng.choice((1, 2, 6))))
    # What XML cannot hold is for the other mutations.
    return "".join(c if c.isprintable() or (c.isspace() and ord(c) > 31) else " " for c in text)


def mutate_xml(seed: bytes, rng: random.Random) -> bytes:
    """Change a tree in one to five places: elements doubled, dropped, moved, renamed, nested, filled."""
    root = ElementTree.fromstring(seed)
    for _ in range(rng.choice((1, 2, 5))):
        elements = list(root.iter())
        parents = [element for element in elements if len(element)]
        if not parents:
            break
        parent = rng.choice(parents)
        at = rng.randrange(len(parent))
        child, kind = parent[at], rng.randrange(9)
        if kind == 0:
            for _ in range(rng.choice((1, 3, 30))):
                parent.insert(at, copy.deepcopy(child))
        elif kind == 1:
            parent.remove(child)
        elif kind == 2:
            parent.remove(child)
            left = list(root.iter())
            rng.choice(left).append(child)
        elif kind == 3:
            child.tag = rng.choice(elements).tag
        elif kind == 4:
            for _ in range(rng.choice((1, 5, 60))):
                outer = Element(child.tag, child.attrib)
                outer.append(child)
                parent[at] = child = outer
        elif kind == 5:
            child.text = _text(rng) * rng.choice((1, 1, 200))
        elif kind == 6:
            child.tail = _text(rng)
        elif kind == 7:
            child.text, child.tail = child.tail, child.text
        elif child.attrib:
            name = rng.choice(list(child.attrib))
            child.set(name, rng.choice(("", "0", "-1", "9" * 30, "begin", "end", "superscript", _text(rng))))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def mutate_json(seed: bytes, rng: random.Random) -> bytes:
    """Change the values of a JSON text in one to four places."""
    data = json.loads(seed)
    for _ in range(rng.choice((1, 2, 4))):
        holder: Any = data
        for _ in range(rng.choice((1, 2, 3, 5))):
            inner = [value for value in _children(holder) if isinstance(value, (dict, list)) and value]
            if not inner:
                break
            holder = rng.choice(inner)
        if isinstance(holder, dict) and holder:
            key = rng.choice(list(holder))
            value = holder.pop(key) if rng.random() < 0.3 else copy.deepcopy(rng.choice(_VALUES))
            holder[rng.choice((key, key, "id", "author", "issued", ""))] = value
        elif isinstance(holder, list) and holder:
            holder[rng.randrange(len(holder))] = copy.deepcopy(rng.choice((*_VALUES, holder[0])))
    return json.dumps(data, default=str).encode()


def _children(holder: Any) -> list[Any]:
    return list(holder.values()) if isinstance(holder, dict) else list(holder)
