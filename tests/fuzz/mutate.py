"""Seeded mutations: the same seed and number give the same input."""

# ruff: noqa: E501 - data is easier to read unwrapped

import random
from collections.abc import Sequence

TOKENS = tuple(
    (
        "[ ] ( ) { } < > [1] [1, [1-99999999] (1 ¹ ² , ; : . - – — / \\ \\\\ % # $ $$ & &amp; &x; &#0; &#x110000; @ "
        "@key [@ [@key; [-@k] ` ``` * _ ![ ]( ]( [^1] \" ' “ ” = == || et_al. Smith (Smith,_2020) 1999 2020a n.d. "
        "\\begin{ \\end{ \\cite{ \\cite[ \\item \\verb| \\def\\a{ \\input{x} \\iffalse \\fi \\bibitem{a} \\ref{a} "
        "\\newcommand{\\a}{\\a\\a} \\entry{a}{b} \\autocites(a)(b)[c][d]{e} \\frac \\'  \\^ _{ ^{ "
        '<p> </p> <xref_rid="b1"> </xref> <ref> <!-- --> <![CDATA[ ]]> <?x ?> <!DOCTYPE <w:p> </w:p> <w:del> '
        "<sup> <sub> TY__- ER__- AU__- @article{ @string{a=a#a} crossref author= null {} [] 1e999 -1 0 NaN true "
        "0000000000 99999999999999999999999999 -2147483649 1e400 %PDF- obj endobj stream endstream <<  >> /Kids "
        "/Parent /Length xref trailer Tj BT ET 10.1000/ https:// doi: arXiv: In: References Fig. Eq._(1) ibid. "
        "\ufeff \u200b \u2028 \x0c \x1d \x00 \u0301 \u202e \U0001d538 \ue100 \ue101 \uffff ﬁ ß İ １ ٣ ² Ⅷ 中 à"
    )
    .replace("_", "_")
    .split()
)
SPACES = (" ", "\n", "\n\n", "\t", "\r", "\r\n", "\u00a0", "\u3000", "   ")
MAX_SIZE = 60_000


def mutate(seed: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    """Change a seed in one to six places.

    Args:
        seed: The file.
        others: Files that pieces are taken from.
        rng: Where chance comes from.
    """
    content = seed
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        content = rng.choice(_KINDS)(content, others, rng)[:MAX_SIZE]
    return content


def _flip(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(min(len(changed), rng.choice((1, 3, 20)))):
        at = rng.randrange(len(changed))
        changed[at] = rng.randrange(256) if rng.random() < 0.5 else changed[at] ^ (1 << rng.randrange(8))
    return bytes(changed)


def _cut_off(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] if rng.random() < 0.7 else content[at:]


def _chunk(content: bytes, rng: random.Random) -> tuple[int, int]:
    at = rng.randrange(len(content) + 1)
    return at, min(len(content), at + rng.choice((1, 4, 20, 100, 400)))


def _remove(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    start, end = _chunk(content, rng)
    return content[:start] + content[end:]


def _double(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    start, end = _chunk(content, rng)
    return content[:end] + content[start:end] * rng.choice((1, 2, 10, 200)) + content[end:]


def _swap(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    a, b = sorted((_chunk(content, rng), _chunk(content, rng)))
    if a[1] > b[0]:
        return content
    return (
        content[: a[0]] + content[b[0] : b[1]] + content[a[1] : b[0]] + content[a[0] : a[1]] + content[b[1] :]
    )


def _token(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    piece = "".join(
        rng.choice(TOKENS) if rng.random() < 0.7 else rng.choice(SPACES) for _ in range(rng.choice((1, 2, 5)))
    )
    return (
        content[:at] + piece.encode("utf-8", "surrogatepass") * rng.choice((1, 1, 1, 3, 500)) + content[at:]
    )


def _nest(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    opening, closing = rng.choice(
        (
            (b"{", b"}"), (b"[", b"]"), (b"(", b")"), (b"<p>", b"</p>"), (b"<sup>", b"</sup>"), (b"> ", b""),
            (b"\\emph{", b"}"), (b"\\begin{quote}", b"\\end{quote}"), (b"\\footnote{", b"}"), (b"<<", b">>"),
            (b'{"a":', b"}"), (b"- ", b""), (b"\\cite[", b"]{a}"), (b"<w:ins>", b"</w:ins>"), (b"$", b"$"),
        )
    )  # fmt: skip
    start, end = _chunk(content, rng)
    depth = rng.choice((1, 5, 40, 2_000))
    return content[:start] + opening * depth + content[start:end] + closing * depth + content[end:]


def _splice(content: bytes, others: Sequence[bytes], rng: random.Random) -> bytes:
    other = rng.choice(others)
    start, end = _chunk(other, rng)
    at = rng.randrange(len(content) + 1)
    return content[:at] + other[start:end] + content[at:]


def _number(content: bytes, _others: Sequence[bytes], rng: random.Random) -> bytes:
    digits = [at for at, byte in enumerate(content) if 48 <= byte <= 57]
    if not digits:
        return content
    at = rng.choice(digits)
    number = rng.choice((b"0", b"-1", b"9" * 5, b"9" * 12, b"9" * 5_000, b"4294967296", b"1e308", b"1.5"))
    return content[:at] + number + content[at + 1 :]


_KINDS = (_flip, _flip, _cut_off, _remove, _double, _swap, _token, _token, _nest, _splice, _number)
