"""Tags of JATS, by what they are to a reader of prose."""

# What stands inside a paragraph, or between two, and is no part of its sentence: read after it.
FLOATS = frozenset(
    [
        "fig",
        "fig-group",
        "chem-struct-wrap",
        "chem-struct-wrapper",
        "boxed-text",
        "fn",
        "supplementary-material",
        "inline-supplementary-material",
        "media",
    ]
)
TABLES = frozenset({"table-wrap", "table-wrap-group", "table", "array"})
LEFT_OUT = frozenset(
    [
        "ref-list",
        "graphic",
        "inline-graphic",
        "disp-formula",
        "disp-formula-group",
        "object-id",
        "alt-text",
        "long-desc",
        "permissions",
        "attrib",
        "copyright-statement",
        "sub-article",
        "response",
        "back",
        "front",
        "processing-meta",
        "sec-meta",
        "tex-math",
        "annotation",
        "annotation-xml",
        "private-char",
        "glyph-data",
        "ack",
        "bio",
        "glossary",
        "table-wrap-foot",
        "kwd-group",
        "index-term",
        "related-object",
        "related-article",
    ]
)
PARAGRAPHS = frozenset(
    [
        "p",
        "list-item",
        "def-item",
        "disp-quote",
        "verse-group",
        "verse-line",
        "statement",
        "speech",
        "def",
        "term",
        "list",
        "def-list",
        "question",
        "answer",
        "code",
        "preformat",
    ]
)
SECTIONS = frozenset({"sec", "app", "abstract", "trans-abstract", "notes", "ref-note"})
CITING = frozenset({"bibr", "ref", "bib", "bibref"})
NOTE_TYPES = frozenset({"fn", "table-fn", "aff", "author-notes", "corresp", "contrib"})
