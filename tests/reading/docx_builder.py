"""Small Word documents for tests, written part by part."""

import base64
import io
import json
import zipfile
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from veriscite.domain import Manuscript

_NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)
STYLES = (
    '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="MyHead"><w:name w:val="My Head"/>'
    '<w:basedOn w:val="Heading1"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Loop"><w:name w:val="L"/><w:basedOn w:val="Loop"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>'
    '<w:style w:type="character" w:styleId="Up"><w:name w:val="Up"/>'
    '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
)


def part(root: str, content: str) -> str:
    """A part's XML."""
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {_NAMESPACES}>{content}</w:{root}>'


def docx(body: str, *, styles: str = STYLES, sources: str = "", **parts: str) -> bytes:
    """A document; further parts by name (`footnotes=...`), each the content of its root.

    `sources` is the content of Word's own bibliography.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", part("document", f"<w:body>{body}</w:body>"))
        archive.writestr("word/styles.xml", part("styles", styles))
        if sources:
            archive.writestr(
                "customXml/item1.xml",
                '<b:Sources xmlns:b="http://schemas.openxmlformats.org/officeDocument/2006/bibliography">'
                f"{sources}</b:Sources>",
            )
        for name, content in parts.items():
            archive.writestr(f"word/{name}.xml", part(name, content))
    return buffer.getvalue()


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


RAISED = '<w:vertAlign w:val="superscript"/>'


def p(*content: str, style: str = "", properties: str = "") -> str:
    """A paragraph; plain strings become runs."""
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    inner = "".join(item if item.startswith("<") else run(item) for item in content)
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inner}</w:p>"


def mark(kind: str, data: str = "") -> str:
    """A field's begin, separate or end."""
    inner = f"<w:fldData>{data}</w:fldData>" if data else ""
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inner}</w:fldChar></w:r>'


def instruction(text: str) -> str:
    """A part of a field's instruction."""
    return f'<w:r><w:instrText xml:space="preserve">{escape(text)}</w:instrText></w:r>'


def complex_field(code: str, *shown: str, pieces: int = 3) -> str:
    """A field whose instruction is split over several runs."""
    size = max(1, len(code) // pieces)
    parts = [code[at : at + size] for at in range(0, len(code), size)]
    inner = "".join(item if item.startswith("<") else run(item) for item in shown)
    return mark("begin") + "".join(map(instruction, parts)) + mark("separate") + inner + mark("end")


def simple_field(code: str, shown: str) -> str:
    """A field in one element."""
    return f"<w:fldSimple w:instr={quoteattr(code)}>{run(shown)}</w:fldSimple>"


def item(key: int | str, family: str, year: int, title: str, **more: Any) -> dict[str, Any]:
    """A CSL item."""
    return {
        "id": key,
        "type": "article-journal",
        "title": title,
        "author": [{"family": family, "given": "A."}],
        "issued": {"date-parts": [[year]]},
        "container-title": "Journal of Moss",
        **more,
    }


def citation(*items: dict[str, Any], library: str = "http://zotero.org/users/1/items") -> dict[str, Any]:
    """What a citation field holds."""
    return {
        "citationID": "x1",
        "citationItems": [
            {"id": data["id"], "uris": [f"{library}/{data['id']}"], "itemData": data} for data in items
        ],
    }


def zotero(*items: dict[str, Any], **more: Any) -> str:
    """Zotero's instruction."""
    return f" ADDIN ZOTERO_ITEM CSL_CITATION {json.dumps(citation(*items, **more))} "


def mendeley_control(shown: str, *items: dict[str, Any]) -> str:
    """A content control as Mendeley Cite writes it."""
    packed = base64.b64encode(json.dumps(citation(*items)).encode()).decode()
    return (
        f'<w:sdt><w:sdtPr><w:tag w:val="MENDELEY_CITATION_v3_{packed}"/></w:sdtPr>'
        f"<w:sdtContent>{run(shown)}</w:sdtContent></w:sdt>"
    )


def endnote(number: int, author: str, year: int, title: str) -> str:
    """The data of an EndNote field."""
    return (
        f"<EndNote><Cite><Author>{author}</Author><Year>{year}</Year><RecNum>{number}</RecNum><record>"
        f'<rec-number>{number}</rec-number><foreign-keys><key app="EN" db-id="db1">{number}</key>'
        "</foreign-keys>"
        f"<contributors><authors><author>{author}, A.</author></authors></contributors>"
        f"<titles><title>{title}</title><secondary-title>Journal of Moss</secondary-title></titles>"
        f"<dates><year>{year}</year></dates></record></Cite></EndNote>"
    )


def source(tag: str, family: str, year: int, title: str) -> str:
    """An entry of Word's own bibliography."""
    return (
        f"<b:Source><b:Tag>{tag}</b:Tag><b:SourceType>JournalArticle</b:SourceType><b:Author><b:Author>"
        f"<b:NameList><b:Person><b:Last>{family}</b:Last><b:First>Ann</b:First></b:Person></b:NameList>"
        f"</b:Author></b:Author><b:Title>{title}</b:Title><b:Year>{year}</b:Year>"
        "<b:JournalName>J Moss</b:JournalName><b:Volume>3</b:Volume><b:Pages>1-9</b:Pages></b:Source>"
    )


def shown(manuscript: Manuscript) -> list[tuple[str, tuple[str, ...]]]:
    """The citations that a document states: as a reader sees them, and what they cite."""
    return [(m.span.of(manuscript.text), m.keys) for m in manuscript.stated_markers]
