"""The user's library in every format that reference managers write: its abstracts are found, and enough."""

from pathlib import Path

import pytest

from tests.evidence.helpers import gather, ref
from veriscite.domain import Found, Manuscript, Span
from veriscite.settings import EvidenceSettings, Settings, StorageSettings
from veriscite.wiring import build

TITLE = "Sleep loss and plaque growth in mice"
ABSTRACT = (
    "We followed 120 mice with impaired sleep for two years. Sleep loss was associated with plaque growth in "
    "the hippocampus. No effect on memory was seen."
)
FILES = {
    "own.bib": f"""@article{{zhang, title={{{TITLE}}}, author={{Zhang, Wei and Roe, C.}}, year=2018,
  abstract={{{ABSTRACT}}}}}""",
    "better-bibtex.bib": f"""@article{{zhangSleepLoss2018,
  title = {{Sleep Loss and Plaque Growth in Mice}},
  author = {{Zhang, Wei and Roe, C.}}, date = {{2018-03-01}}, journaltitle = {{J Sleep}},
  abstract = {{{ABSTRACT}}}, langid = {{english}}, file = {{/home/me/Zotero/storage/X/a.pdf}}
}}""",
    "zotero.ris": f"TY  - JOUR\nTI  - {TITLE}\nAU  - Zhang, Wei\nAU  - Roe, C.\nPY  - 2018/03/01\n"
    f"AB  - {ABSTRACT}\nL1  - file:///x.pdf\nER  - \n",
    "csl.json": f"""[{{"id": "zhang", "type": "article-journal", "title": "{TITLE}", "abstract": "{ABSTRACT}",
  "author": [{{"family": "Zhang", "given": "Wei"}}], "issued": {{"date-parts": [["2018", 3, 1]]}}}}]""",
    "zotero.json": f"""{{"items": [{{"id": "http://zotero.org/users/1/items/A", "type": "article-journal",
  "title": "{TITLE}", "abstract": "{ABSTRACT}", "author": [{{"family": "Zhang", "given": "Wei"}}],
  "issued": {{"date-parts": [["2018"]]}}}}]}}""",
    "lines.jsonl": f'{{"id": "z", "title": "{TITLE}", "authors": ["Wei Zhang"], "year": 2018, '
    f'"abstract": "{ABSTRACT}"}}\n',
    "endnote.xml": f"""<?xml version="1.0" encoding="UTF-8"?><xml><records><record><rec-number>1</rec-number>
<ref-type name="Journal Article">17</ref-type><contributors><authors><author>Zhang, Wei</author></authors>
</contributors><titles><title>{TITLE}</title></titles><dates><year>2018</year></dates>
<abstract>{ABSTRACT}</abstract></record></records></xml>""",
}


@pytest.mark.parametrize("name", sorted(FILES))
async def test_a_library_is_enough_by_itself(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(FILES[name], encoding="utf-8")
    settings = Settings(
        storage=StorageSettings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data"),
        evidence=EvidenceSettings(offline=True),
    )
    reference = ref(TITLE, "Zhang W; Roe C", 2018)
    manuscript = Manuscript(
        id="m",
        source_name="x",
        format="text",
        text="T",
        body=Span(start=0, end=1),
        references=(reference,),
        content_hash="0" * 64,
    )
    source = build(settings, [file]).evidence_for(manuscript)
    found = (await gather(source.lookup([reference])))["r1"]
    assert isinstance(found, Found)
    assert found.evidence.source == "library"
    assert found.evidence.sentences[-1] == "No effect on memory was seen."
