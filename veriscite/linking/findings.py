"""Claims that assert nothing of the cited work: methods, data, software, pointers, background, definitions.

Decided by the wording of the claim alone, and for doubt as a finding: a finding that goes unchecked is worse
than a method that is checked in vain.
"""

import re

from veriscite.domain import NotFinding, NotFindingKind

# Whoever writes these words says what came out, whatever else the sentence says.
_RESULT = re.compile(
    r"\b(?:that|found|finds?|findings?|show(?:s|ed|n|ing)?|demonstrat\w+|suggest\w*|reveal\w*|indicat(?:e|"
    r"es|ed|ing)|"
    r"increas\w+|decreas\w+|reduc(?:e|es|ed|ing|tions?)|improv\w+|higher|lower|greater|fewer|larger|smaller|"
    r"more|less|most|least|than|associat(?:ed|ion|ions)|correlat\w+|caus(?:e|es|ed|ing)|leads?|led|"
    r"because|due|"
    r"effective\w*|significan\w+|inhibit\w*|promot\w+|outperform\w*|better|worse|best|predict\w*|consistent|"
    r"in line with|agree\w*|similar\w*|unlike|contrast|despite|although|whereas|but|however|rare|common|"
    r"results?|resulted|confirm\w*|support(?:s|ed|ing)?|conclud\w+|observ\w+|proved|proven|responsible|"
    r"essential|necessary|sufficient|play\w*|role|regulat\w+|induc\w+|activat\w+|mediat\w+|enabl\w+|allow\w*|"
    r"impair\w*|prevent\w*|protect\w*|enhanc\w+|prevalen\w+|linked|contain\w*|incidence|mortality|"
    r"efficacy|superior|inferior)\b"
    r"|\d\s?%|\bper ?cent\b|\btimes (?:as|more|less)\b",
    re.IGNORECASE,
)
_DONE = (
    r"(?:performed|carried out|conducted|done|made|measured|calculated|computed|estimated|assessed|"
    r"determined|"
    r"analy[sz]ed|prepared|extracted|isolated|generated|constructed|synthesi[sz]ed|implemented|quantified|"
    r"processed|trained|fine-?tuned|evaluated|purified|cultured|grown|collected|recorded|scored|rated|coded|"
    r"stained|sequenced|aligned|mapped|filtered|normali[sz]ed|fitted|modelled|modeled|simulated|solved|"
    r"obtained|selected|recruited|diagnosed|classified|graded|staged|defined|identified|acquired|imaged|"
    r"amplified|cloned|expressed|maintained|housed|weighed|used|applied|employed|adopted|followed|tested|"
    r"adjusted|corrected|imputed|screened|reported|registered|optimi[sz]ed|initiali[sz]ed|segmented|"
    r"annotated)"
)
_SELF = r"\b(?:[Ww]e|I|[Oo]ur (?:study|work|team|group|analysis|model|implementation))\b"
_PASSIVE = rf"\b(?:was|were|is|are|been|being)\s(?:\w+ly\s|then\s|first\s|also\s){{0,2}}{_DONE}\b"
_WAY = (
    r"(?:methods?|methodology|protocols?|procedures?|techniques?|guidelines?|guidance|criteria|"
    r"recommendations?|"
    r"approach|algorithm|formula|equation|definition|classification|scheme|checklist|statement|manual|"
    r"instructions?|framework|standards?|test|assay|kit|scale|questionnaire|inventory|index|score|tool|"
    r"instrument|interview|correction|model|optimi[sz]er|loss|architecture|estimator|kernel|solver|"
    r"sampler|design)"
)
_READING = r"(?:reviews?|overviews?|surveys?|details?|discussions?|introductions?|information|treatments?)"
_PROGRAM = (
    r"(?:software|packages?|librar(?:y|ies)|toolbox|toolkit|program(?:me|s)?|plug-?in|scripts?|pipeline|"
    r"R|SPSS|SAS|Stata|MATLAB|Python|ImageJ|Fiji|GraphPad|Prism|NVivo|PyTorch|TensorFlow|Keras|scikit-learn|"
    r"NumPy|SciPy|BLAST|ggplot2|lme4|Docker)"
)
_SOURCE = (
    r"(?i:data|datasets?|data ?sets?|database|sequences?|genomes?|images?|samples?|corpus|corpora|records?|"
    r"structures?|questions?|items|texts?|maps?|measurements|strains?|plasmids?|cell lines?|cells|mice|"
    r"vectors?|"
    r"benchmarks?|coordinates|annotations|abstracts|values|parameters|weights)"
)
_STUDIED = (
    r"(?:studied|investigated|explored|discussed|debated|examined|addressed|considered|researched|reviewed|"
    r"surveyed|described|summari[sz]ed|documented|characteri[sz]ed|treated|covered|analy[sz]ed|presented)"
)
_MUCH = (
    r"(?:widely|extensively|intensively|intensely|well|thoroughly|long|often|frequently|previously|recently|"
    r"already|much|repeatedly|largely|hotly|in (?:great |more )?detail|elsewhere|in depth|at length|also|"
    r"for (?:many )?(?:years|decades))"
)
_TAIL = r"(?!.*\bas\b)(?:\s(?:in|by|for|on|from|with|over|since|among|across|within|of|at)\b[^,;:.]{0,60})?"

_RULES: tuple[tuple[NotFindingKind, str, re.Pattern[str]], ...] = (
    (
        NotFindingKind.POINTER,
        "It only points to a work for further reading.",
        re.compile(
            rf"^(?:\w+,\s)?(?:For\b[^.;,]{{0,60}}\b{_READING}\b[^.;]{{0,40}},?\s(?:see|consult|we refer)\b|"
            rf"See\b[^.;]{{0,60}}\b{_READING}\b)|"
            rf"\b(?:is|are|was|were|has been|have been)\s(?:{_MUCH}\s){{0,2}}(?:reviewed|summari[sz]ed|"
            rf"surveyed|"
            rf"discussed|described|detailed|presented|given|reported|published|"
            rf"provided)\s(?:{_MUCH}\s?){{0,2}}"
            rf"(?:(?:in|by)\s(?:the cited work|[A-Z][^.;,]{{0,60}}))?\.?$|"
            r"\b(?:readers? (?:is|are) referred|(?:[Ww]e|"
            r"I) refer (?:the )?(?:interested )?(?:readers? )?to)\b|"
            r"\b(?:can|may) be found (?:in|elsewhere)\b[^,;.]{0,60}\.?$",
        ),
    ),
    (
        NotFindingKind.SOFTWARE,
        "It names software that was used.",
        re.compile(
            rf"(?:{_SELF}[^.;]{{0,80}}|{_PASSIVE}[^.;]{{0,80}})\b(?:using|with|in|by|via|through|on|"
            rf"use[ds]?)\s"
            rf"(?:the\s|an?\s)?(?:[\w.+-]+\s){{0,5}}{_PROGRAM}\b"
        ),
    ),
    (
        NotFindingKind.DATA,
        "It names data or material that was used.",
        re.compile(
            rf"\b{_SOURCE}\b[^.;,]{{0,60}}\b(?:was|were|are|is)\s(?:\w+ly\s)?(?:obtained|taken|downloaded|"
            rf"retrieved|"
            r"collected|extracted|derived|drawn|gathered|sourced|acquired|purchased|provided|available|"
            r"deposited|published|kindly provided|a gift)\s(?:from|by|at|in|through|as)\b|"
            rf"{_SELF}\s(?:\w+ly\s)?(?:used?|obtained|downloaded|retrieved|took|extracted|collected|"
            rf"analy[sz]ed?|"
            rf"evaluated?|train(?:ed)?|test(?:ed)?)\b[^.;]{{0,60}}\b{_SOURCE}\b"
        ),
    ),
    (
        NotFindingKind.METHOD,
        "It names a method that was used.",
        re.compile(
            rf"(?:{_PASSIVE}|{_SELF})[^.;]{{0,120}}\b(?:as|like)\s(?:\w+ly\s)?(?:described|reported|"
            rf"detailed|published|"
            rf"outlined|recommended|proposed|specified)\b|"
            rf"(?:{_PASSIVE}|{_SELF})[^.;]{{0,100}}\b(?:according to|following|based on|using|with|by|"
            rf"by means of|via|"
            rf"in accordance with|under|after|per|on)\s(?:the\s|an?\s|our\s)?(?:[\w'’-]+\s){{0,5}}{_WAY}\b|"
            rf"{_SELF}\s(?:\w+ly\s|also\s|then\s|therefore\s)?(?:used?|employ(?:ed)?|adopt(?:ed)?|"
            rf"appl(?:y|ied)|"
            rf"follow(?:ed)?|implement(?:ed)?|built on|build on|extend(?:ed)?|modif(?:y|ied)|adapt(?:ed)?|"
            rf"rel(?:y|ied) on|"
            rf"train(?:ed)?|fine-?tuned?|performed|conducted|carried out|calculated|computed|estimated|"
            rf"measured|"
            rf"assessed)\b(?!\s(?:that|whether))|"
            rf"\b{_WAY}\b[^.;,]{{0,60}}\b(?:was|were|is|are)\s(?:then\s)?(?:used|applied|employed|adopted|"
            rf"followed|"
            rf"administered|implemented)\s(?:to|for|as|in|here|throughout)\b"
        ),
    ),
    (
        NotFindingKind.DEFINITION,
        "It defines a term.",
        re.compile(
            r"^[^,;]{1,80}?\b(?:is|are|was|were|can be|may be)\s(?:\w+ly\s|often\s|here\s)?(?:defined as|"
            r"defined by|"
            r"termed|referred to as|denoted)\b|^(?:we|I) define\b|^by definition\b",
            re.IGNORECASE,
        ),
    ),
    (
        NotFindingKind.BACKGROUND,
        "It says what has been studied, not what came out.",
        re.compile(
            rf"\b(?:has|have)\s(?:{_MUCH}\s){{0,2}}been\s(?:{_MUCH}\s){{0,2}}(?:the (?:subject|focus|"
            rf"topic) of|{_STUDIED})"
            rf"(?:\s{_MUCH}){{0,2}}{_TAIL}\.?$|"
            rf"\b(?:studies|authors|works?|papers|researchers|groups|scholars|reviews|articles|"
            rf"others)\s(?:have\s|has\s)?"
            rf"(?:{_MUCH}\s)?{_STUDIED}\b[^;:]{{0,100}}\.?$|"
            r"\b(?:growing|increasing|considerable|large|vast|rich|extensive|substantial|long) (?:body|"
            r"amount|history|"
            r"tradition|interest|attention|literature|debate)\b[^;:]{0,80}\.?$|"
            r"\b(?:has|have) (?:attracted|received|gained|drawn)\b[^;:,]{0,40}\b(?:attention|interest)\b",
        ),
    ),
)
_MAX_LENGTH = 400
# Before "has been studied" a longer subject says something itself.
_LONG_SUBJECT = 8
_BODY_OF_INTEREST = re.compile(r"\b(?:increasing|more|most|less) (?=(?:interest|attention|body|detail)\b)")


def not_a_finding(claim: str) -> NotFinding | None:
    """Tell whether a claim asserts nothing about the work that it cites; None for a finding, and in doubt.

    Args:
        claim: The claim's text, without markers.
    """
    if len(claim) > _MAX_LENGTH:
        return None
    judged = _BODY_OF_INTEREST.sub("", claim)
    for kind, reason, rule in _RULES:
        found = rule.search(claim)
        if found is None:
            continue
        if kind is NotFindingKind.BACKGROUND and len(claim[: found.start()].split()) > _LONG_SUBJECT:
            continue
        outside = judged if judged != claim else claim[: found.start()] + " " + claim[found.end() :]
        if _RESULT.search(outside) or (judged == claim and _RESULT.search(_without_own(kind, found[0]))):
            return None
        return NotFinding(kind=kind, reason=reason)
    return None


_OWN_WORDS = re.compile(r"\b(?:found|reported|observed|adjusted|corrected|more detail)\b", re.IGNORECASE)


def _without_own(kind: NotFindingKind, text: str) -> str:
    """Return what a rule met without the words that it asks for itself (`can be found in`)."""
    return _OWN_WORDS.sub("", text) if kind is not NotFindingKind.BACKGROUND else text
