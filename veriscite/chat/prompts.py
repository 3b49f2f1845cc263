"""Prompts are files: front matter that declares the variables, then a fixed system part and a data part.

A prompt file is Markdown with TOML front matter between two lines `+++`::

    +++
    description = "What it is for."
    trusted = ["actions_left"]
    untrusted = ["claim", "sentences"]
    +++
    === system ===
    Fixed text, without variables, so that a provider can cache it.
    === user ===
    $claim
    === repair ===
    Your answer could not be used: $problem

Variables are `$names`; there is no code in a prompt. What is declared and what is used are compared at load.
An untrusted variable always comes out as a marked block (see `untrusted.py`), so no caller can forget it.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

from veriscite.chat.untrusted import block, clean, delimiter_for, screen
from veriscite.errors import PromptError
from veriscite.ports import RenderedPrompt

_FENCE = "+++"
_PART = re.compile(r"^=== ([a-z]+) ===$", re.MULTILINE)
_KEYS = {"description", "trusted", "untrusted"}
_PARTS = {"system", "user", "repair"}
_MAX_PROBLEM = 400
_ADVICE = "Prompts come with the package: reinstall it, or undo the change to the prompt file."


@dataclass(frozen=True)
class Prompt:
    """A prompt file, read and checked. Implements `ports.PromptTemplate`.

    Attributes:
        trusted: Variables that hold our own text.
        untrusted: Variables that hold data; each becomes a marked block.
        hash: First 12 hex digits of the file's SHA-256.
    """

    name: str
    system: str
    user: str
    repair_text: str
    trusted: frozenset[str]
    untrusted: frozenset[str]
    hash: str

    def render(self, **values: str | Sequence[str]) -> RenderedPrompt:
        """Fill in the data.

        Args:
            values: One value for each variable. An untrusted one may be a sequence of items, which become
                numbered lines counted from 0; an empty one is shown as `(none)`.

        Raises:
            PromptError: A variable is missing, or is not one of the prompt's.
        """
        self._check_names(values)
        shown: dict[str, str | list[str]] = {}
        withheld: dict[str, frozenset[int]] = {}
        notes: list[str] = []
        for name in sorted(self.untrusted):
            value = values[name]
            screened = [screen(item) for item in ([value] if isinstance(value, str) else value)]
            texts = [item.text for item in screened]
            shown[name] = texts[0] if isinstance(value, str) else texts
            hidden = frozenset(index for index, item in enumerate(screened) if item.withheld)
            if hidden:
                withheld[name] = hidden
            notes += [f"{name}: {note}" for item in screened for note in item.notes]
        delimiter = delimiter_for(
            [text for value in shown.values() for text in ([value] if isinstance(value, str) else value)]
        )
        filled = {name: block(name, value, delimiter) for name, value in shown.items()}
        filled |= {name: str(values[name]) for name in self.trusted}
        return RenderedPrompt(
            system=self.system,
            user=Template(self.user).substitute(filled),
            withheld=withheld,
            notes=tuple(dict.fromkeys(notes)),
        )

    def repair(self, problem: str) -> str:
        """Tell the model why its answer could not be used.

        Raises:
            PromptError: The prompt has no repair part.
        """
        if not self.repair_text:
            raise PromptError(f"The prompt {self.name!r} has no repair part.", advice=_ADVICE)
        return Template(self.repair_text).substitute(problem=clean(problem)[:_MAX_PROBLEM])

    def _check_names(self, values: Mapping[str, object]) -> None:
        expected = self.trusted | self.untrusted
        missing, extra = expected - values.keys(), values.keys() - expected
        if missing or extra:
            raise PromptError(
                f"The prompt {self.name!r} was filled in wrongly: "
                f"missing {_names(missing)}, not its own {_names(extra)}.",
                advice=_ADVICE,
            )


@cache
def load_prompt(name: str) -> Prompt:
    """Load one of the prompts that come with the package.

    Raises:
        PromptError: There is no such prompt, or its file is not well-formed.
    """
    file = resources.files("veriscite.chat").joinpath("prompts", f"{name}.md")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise PromptError(f"There is no prompt {name!r}.", advice=_ADVICE) from error
    return parse_prompt(name, data)


def parse_prompt(name: str, data: bytes) -> Prompt:
    """Read a prompt file and compare the variables it declares with those it uses.

    Raises:
        PromptError: The file is not well-formed, or a variable is undeclared or unused.
    """
    # Git may check text out with CRLF; the hash must not depend on the machine.
    data = data.replace(b"\r\n", b"\n")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PromptError(f"The prompt {name!r} is not UTF-8.", advice=_ADVICE) from error
    header, parts = _split(name, text)
    trusted, untrusted = _declared(name, header, "trusted"), _declared(name, header, "untrusted")
    if trusted & untrusted:
        raise PromptError(
            f"The prompt {name!r} declares {_names(trusted & untrusted)} both trusted and untrusted.",
            advice=_ADVICE,
        )
    _compare(name, "system", _used(name, parts["system"]), frozenset())
    _compare(name, "user", _used(name, parts["user"]), trusted | untrusted)
    repair = parts.get("repair", "")
    if repair:
        _compare(name, "repair", _used(name, repair), frozenset({"problem"}))
    return Prompt(
        name=name,
        system=parts["system"].replace("$$", "$"),
        user=parts["user"],
        repair_text=repair,
        trusted=trusted,
        untrusted=untrusted,
        hash=hashlib.sha256(data).hexdigest()[:12],
    )


def _split(name: str, text: str) -> tuple[dict[str, object], dict[str, str]]:
    lines = text.split("\n")
    if lines[0] != _FENCE or _FENCE not in lines[1:]:
        raise PromptError(f"The prompt {name!r} has no front matter between two {_FENCE!r}.", advice=_ADVICE)
    end = lines.index(_FENCE, 1)
    try:
        header = tomllib.loads("\n".join(lines[1:end]))
    except tomllib.TOMLDecodeError as error:
        raise PromptError(f"The front matter of the prompt {name!r} is not TOML: {error}.") from error
    if set(header) - _KEYS:
        raise PromptError(f"The prompt {name!r} has unknown front matter: {_names(set(header) - _KEYS)}.")
    before, *rest = _PART.split("\n".join(lines[end + 1 :]))
    if before.strip():
        raise PromptError(f"The prompt {name!r} has text before its first part.", advice=_ADVICE)
    titles, bodies = rest[0::2], [body.strip() for body in rest[1::2]]
    if len(titles) != len(set(titles)) or set(titles) - _PARTS or {"system", "user"} - set(titles):
        raise PromptError(
            f"The prompt {name!r} needs the parts system and user, each once, and may have repair; "
            f"it has {_names(titles)}.",
            advice=_ADVICE,
        )
    return header, dict(zip(titles, bodies, strict=True))


def _declared(name: str, header: Mapping[str, object], key: str) -> frozenset[str]:
    value = header.get(key, [])
    if not isinstance(value, list) or not all(isinstance(v, str) and v.isidentifier() for v in value):
        raise PromptError(f"The prompt {name!r} must give {key} as a list of names.", advice=_ADVICE)
    return frozenset(value)


def _used(name: str, part: str) -> frozenset[str]:
    template = Template(part)
    if not template.is_valid():
        raise PromptError(f"The prompt {name!r} has a stray $; write $$ for the sign.", advice=_ADVICE)
    return frozenset(template.get_identifiers())


def _compare(name: str, part: str, used: frozenset[str], declared: frozenset[str]) -> None:
    if used != declared:
        raise PromptError(
            f"In the {part} part of the prompt {name!r}: undeclared {_names(used - declared)}, "
            f"unused {_names(declared - used)}.",
            advice=_ADVICE,
        )


def _names(names: object) -> str:
    return ", ".join(sorted(map(str, names))) or "none"  # type: ignore[call-overload]
