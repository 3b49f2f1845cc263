"""Imports run one way. This test reads them, those inside functions included, and fails on any other arrow.

domain, errors <- ports <- stages <- workflow, wiring <- api <- cli, app
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 450

STAGES = frozenset(
    {
        "reading",
        "linking",
        "evidence",
        "verification",
        "planning",
        "attribution",
        "chat",
        "reporting",
        "storage",
    }
)
FOUNDATION = frozenset({"domain", "errors", "ports", "_version"})

#: Room -> rooms it may import, besides itself. A stage that needs the work of another gets it handed in by
#: a Protocol of `ports` (prompts for the chat verifier and the planner too): stages know no exception.
ALLOWED: dict[str, frozenset[str]] = {
    "_version": frozenset(),
    "domain": frozenset(),
    "errors": frozenset(),
    "settings": frozenset(),
    "ports": frozenset({"domain", "errors"}),
    "examples": frozenset({"errors"}),
    **dict.fromkeys(STAGES, FOUNDATION),
    "workflow": FOUNDATION | STAGES,
    # Wiring fills in the parts that the workflow asks for; the workflow never asks who filled them in.
    "wiring_judges": FOUNDATION | STAGES | {"settings"},
    "wiring": FOUNDATION | STAGES | {"workflow", "settings", "wiring_judges"},
    "api": FOUNDATION | STAGES | {"workflow", "wiring", "settings"},
    # The doctor asks each part how it is, as wiring does when it builds them.
    "doctor": FOUNDATION | STAGES | {"wiring", "settings", "examples"},
    # Files are read by `reading` and written by `reporting`, whoever asks.
    "cli": FOUNDATION | {"api", "wiring", "settings", "doctor", "reading", "reporting", "examples"},
    # `python -m veriscite`.
    "__main__": frozenset({"cli"}),
    # The package's face loads its names on first use.
    "__init__": frozenset({"api", "domain", "errors", "settings", "_version"}),
    "app": FOUNDATION | {"api", "wiring", "settings", "doctor", "reporting", "examples"},
    # Training and evaluation use the verifier's own reading of windows, and the paths of the settings.
    "models": FOUNDATION | STAGES | {"settings", "wiring"},
}

#: Library -> rooms that may import it. Elsewhere it would tie a stage to a choice that is another's.
HOMES: dict[str, frozenset[str]] = {
    "langgraph": frozenset({"workflow"}),
    "langchain_core": frozenset({"workflow"}),
    "torch": frozenset({"verification", "attribution", "models"}),
    "transformers": frozenset({"verification", "attribution", "models"}),
    "peft": frozenset({"verification", "attribution", "models"}),
    "captum": frozenset({"attribution", "models"}),
    "onnx": frozenset({"verification", "models"}),
    "streamlit": frozenset({"app"}),
    "anthropic": frozenset({"chat"}),
    "semanticscholar": frozenset({"evidence"}),
    "sqlalchemy": frozenset({"storage", "evidence"}),
    "typer": frozenset({"cli"}),
}
#: Imported inside functions only, so that `veriscite --help` is instant.
LAZY = frozenset({"torch", "transformers", "peft", "captum", "onnx", "safetensors", "sentencepiece", "numpy"})
#: Reading the environment elsewhere than in the settings hides a setting from the user.
ENVIRONMENT_READERS = frozenset(
    {
        "veriscite/settings.py",
        # NO_COLOR and TERM are the terminal's word to every program, not settings of ours.
        "veriscite/cli/live.py",
    }
)


@dataclass(frozen=True)
class Import:
    """One imported module, with where it was imported and whether it runs when the file is loaded."""

    path: Path
    line: int
    module: str
    at_load: bool

    @property
    def where(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def _room(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[1] if parts[0] == "veriscite" else parts[0]


def _room_of_module(module: str) -> str | None:
    """Room of one of our own modules; None for a library."""
    parts = module.split(".")
    if parts[0] in ("app", "models", "tests"):
        return parts[0]
    if parts[0] == "veriscite_app":
        return "app"
    if parts[0] != "veriscite":
        return None
    return parts[1] if len(parts) > 1 else "__init__"


def _absolute(path: Path, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = path.relative_to(ROOT).parent.parts
    base = package[: len(package) - node.level + 1]
    return ".".join((*base, *((node.module,) if node.module else ())))


def _is_type_checking(node: ast.If) -> bool:
    test = node.test
    return (isinstance(test, ast.Name) and test.id == "TYPE_CHECKING") or (
        isinstance(test, ast.Attribute) and test.attr == "TYPE_CHECKING"
    )


def _walk(path: Path, nodes: list[ast.stmt], at_load: bool) -> Iterator[Import]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (Import(path, node.lineno, alias.name, at_load) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(path, node)
            for alias in node.names:
                # `from veriscite import errors` imports the room, not the package's face.
                is_room = module == "veriscite" and alias.name in ALLOWED
                yield Import(path, node.lineno, f"{module}.{alias.name}" if is_room else module, at_load)
        elif isinstance(node, ast.If) and _is_type_checking(node):
            yield from _walk(path, node.body, False)
            yield from _walk(path, node.orelse, at_load)
        else:
            inside = at_load and not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for block in ("body", "orelse", "finalbody"):
                yield from _walk(path, getattr(node, block, []), inside)
            for handler in getattr(node, "handlers", []):
                yield from _walk(path, handler.body, inside)
            for case in getattr(node, "cases", []):
                yield from _walk(path, case.body, inside)


def _imports(path: Path) -> list[Import]:
    return list(_walk(path, ast.parse(path.read_text(encoding="utf-8"), str(path)).body, True))


def _files(*folders: str) -> list[Path]:
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert found, folders
    return found


def _all_imports() -> list[Import]:
    return [found for path in _files("veriscite", "app", "models") for found in _imports(path)]


def _arrow_problem(found: Import) -> str | None:
    room, target = _room(found.path), _room_of_module(found.module)
    if target is None or target == room:
        return None
    if room not in ALLOWED:
        return f"{found.where}: the room {room!r} has no rule in ALLOWED"
    if target not in ALLOWED[room]:
        return f"{found.where}: {room} imports {target} ({found.module})"
    return None


def _library_problem(found: Import) -> str | None:
    room, library = _room(found.path), found.module.split(".")[0]
    if library in HOMES and room not in HOMES[library]:
        return (
            f"{found.where}: {room} imports {library}, which belongs to {', '.join(sorted(HOMES[library]))}"
        )
    # Scripts of `models` are run for their torch; nothing that starts fast imports them.
    if library in LAZY and found.at_load and room != "models":
        return f"{found.where}: {library} is imported when the file is loaded; import it inside the function"
    return None


def _problems(check: object, found: list[Import]) -> list[str]:
    assert callable(check)
    return [problem for problem in map(check, found) if problem]


def test_imports_run_one_way() -> None:
    assert _problems(_arrow_problem, _all_imports()) == []


def test_libraries_stay_in_their_rooms() -> None:
    assert _problems(_library_problem, _all_imports()) == []


def test_only_settings_read_the_environment() -> None:
    problems = []
    for path in _files("veriscite", "app"):
        if path.relative_to(ROOT).as_posix() in ENVIRONMENT_READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            reads = isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv")
            if reads and isinstance(node.value, ast.Name) and node.value.id == "os":
                problems.append(f"{path.relative_to(ROOT)}:{node.lineno}: os.{node.attr}")
    assert problems == []


def test_files_stay_short() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in _files("veriscite", "app", "models", "tests")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


@pytest.mark.parametrize(
    ("path", "source", "problem"),
    [
        ("veriscite/linking/x.py", "from veriscite.evidence import query", "linking imports evidence"),
        ("veriscite/linking/x.py", "from ..evidence import query", "linking imports evidence"),
        ("veriscite/linking/x.py", "def f():\n    import veriscite.settings", "linking imports settings"),
        ("veriscite/linking/x.py", "from veriscite import wiring", "linking imports wiring"),
        ("veriscite/domain/x.py", "from veriscite.errors import InputError", "domain imports errors"),
        ("veriscite/workflow/x.py", "import veriscite.wiring", "workflow imports wiring"),
        ("veriscite/cli/x.py", "from veriscite.workflow import build", "cli imports workflow"),
        ("veriscite/surprise/x.py", "import veriscite.errors", "no rule"),
        (
            "veriscite/api.py",
            "try:\n    import langgraph.graph\nexcept ImportError:\n    pass",
            "belongs to workflow",
        ),
        ("veriscite/verification/x.py", "from torch import nn", "inside the function"),
        ("veriscite/verification/x.py", "class A:\n    import torch", "inside the function"),
        ("veriscite/verification/x.py", "def f():\n    import torch", None),
        ("veriscite/verification/x.py", "if TYPE_CHECKING:\n    import torch", None),
        ("veriscite/linking/x.py", "def f():\n    import torch", "torch, which belongs to"),
        ("veriscite/reporting/x.py", "import streamlit", "belongs to app"),
        ("app/veriscite_app/x.py", "import streamlit\nfrom veriscite import api", None),
        ("veriscite/planning/x.py", "from veriscite.ports import Planner\nfrom . import agent", None),
    ],
)
def test_the_rules_catch_what_they_are_for(path: str, source: str, problem: str | None) -> None:
    found = list(_walk(ROOT / path, ast.parse(source).body, True))
    problems = _problems(_arrow_problem, found) + _problems(_library_problem, found)
    if problem is None:
        assert problems == []
    else:
        assert len(problems) == 1
        assert problem in problems[0]


def test_command_line_starts_without_the_heavy_libraries() -> None:
    heavy = sorted(
        {*LAZY, "langgraph", "streamlit", "anthropic", "semanticscholar", "sqlalchemy"} - {"numpy"}
    )
    script = f"import sys, veriscite.cli; print([m for m in {heavy!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
