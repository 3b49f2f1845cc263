"""What the command line's options mean."""

from collections.abc import Sequence
from pathlib import Path

import typer
from pydantic import ValidationError

from veriscite.cli.choices import STDIN, Blind, SourceName
from veriscite.errors import InputError, SettingsError, TooLargeError
from veriscite.ports import ManuscriptInput
from veriscite.reading.files import read_file
from veriscite.reporting.references import Finding
from veriscite.settings import (
    AnthropicSettings,
    BlindSettings,
    EvidenceSettings,
    NliSettings,
    RunSettings,
    Settings,
)


def build_settings(
    *,
    offline: bool = False,
    nli_model: str | None = None,
    blind: Blind | None = None,
    max_claims: int | None = None,
    attribution: bool = True,
    max_error: float | None = None,
    reference_checks: bool = True,
    only: Sequence[SourceName] = (),
    without: Sequence[SourceName] = (),
    check_not_findings: bool = False,
) -> Settings:
    """Return the environment's settings with the options given laid over them.

    Args:
        offline: Ask no source on the network.
        nli_model: The NLI model, if another than the settings'.
        blind: The blind verifier, if another than the settings'.
        max_claims: How many claims are checked at most.
        attribution: Whether to work out the deciding words.
        max_error: The share of verdicts shown that may be wrong.
        reference_checks: Whether the references themselves are checked.
        only: The sources on the network that are asked, and no others; none for those of the settings.
        without: Sources that are not asked.
        check_not_findings: Whether claims that are no findings are checked too.

    Raises:
        SettingsError: An environment variable or an option holds a value that cannot be used.
    """
    try:
        run = RunSettings()
        settings = Settings(
            evidence=EvidenceSettings(offline=True) if offline else EvidenceSettings(),
            nli=NliSettings(model=nli_model) if nli_model else NliSettings(),
            blind=BlindSettings(provider=blind.value) if blind else BlindSettings(),
            run=RunSettings(
                max_claims=run.max_claims if max_claims is None else max_claims,
                attribute=run.attribute and attribution,
                check_not_findings=run.check_not_findings or check_not_findings,
                max_error=run.max_error if max_error is None else max_error,
                check_references=run.check_references and reference_checks,
            ),
        )
    except ValidationError as error:
        raise _settings_error(error) from error
    return _with_sources(settings, only, without)


def _with_sources(settings: Settings, only: Sequence[SourceName], without: Sequence[SourceName]) -> Settings:
    """Switch sources on and off; an option wins over the environment."""
    both = sorted({*only} & {*without})
    if both:
        raise InputError(f"{both[0].value} is given with --source and with --no-source.")
    changed = {}
    for source in SourceName:
        own = getattr(settings, source.setting)
        enabled = source in only if only else own.enabled and source not in without
        changed[source.setting] = own.model_copy(update={"enabled": enabled})
    return settings.model_copy(update=changed)


def demo_settings(*, attribution: bool = True) -> Settings:
    """Return settings that ask nothing outside this machine, whatever keys are set.

    Raises:
        SettingsError: An environment variable holds a value that cannot be used.
    """
    settings = build_settings(offline=True, blind=Blind.STAND_IN, attribution=attribution)
    return settings.model_copy(update={"anthropic": AnthropicSettings(api_key=None)})


def _settings_error(error: ValidationError) -> SettingsError:
    # Never the value itself: it could be a key.
    problems = [f"{'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in error.errors()]
    return SettingsError(
        f"A setting in {error.title} cannot be used ({'; '.join(problems)}).",
        advice="Check the options given and the environment variables that begin with VERISCITE_.",
    )


def parse_formats(text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    """Return the formats of a comma list, each once.

    Raises:
        InputError: One is not known, or there is none.
    """
    formats = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",") if part.strip()))
    unknown = [format for format in formats if format not in known]
    if unknown or not formats:
        problem = f"There is no report format '{unknown[0]}'." if unknown else "No report format was named."
        raise InputError(problem, advice=f"Choose from {', '.join(known)}, with commas between them.")
    return formats


CONTRADICT = "contradict"
"""What `--fail-on` calls a contradicted claim."""


def parse_fail_on(text: str, *, claims: bool) -> frozenset[str]:
    """Return what is to make a finished run fail.

    Args:
        text: Words with commas between them.
        claims: Whether claims are judged, so that they can be contradicted.

    Raises:
        InputError: A word is not known.
    """
    known = [*([CONTRADICT] if claims else []), *(finding.value for finding in Finding)]
    words = [part.strip().lower().replace("-", "_") for part in text.split(",") if part.strip()]
    unknown = [word for word in words if word not in known]
    if unknown:
        raise InputError(
            f"--fail-on does not know '{unknown[0]}'.",
            advice=f"Choose from {', '.join(known)}, with commas between them.",
        )
    return frozenset(words)


def given_input(
    manuscript: Path, references: Path | None, limit: int
) -> tuple[Path | ManuscriptInput, Path | None]:
    """Return manuscript and reference list as the API takes them; `-` reads standard input now.

    Raises:
        InputError: As `read_stdin`.
    """
    if manuscript == STDIN:
        return read_stdin(references, limit), None
    return manuscript, references


def read_stdin(references: Path | None, limit: int) -> ManuscriptInput:
    """Read the manuscript from standard input and the reference list, if it comes apart, from its file.

    Raises:
        InputError: Both were to come from standard input, or the file cannot be read.
        TooLargeError: There are more than `limit` bytes.
    """
    if references == STDIN:
        raise InputError(
            "Manuscript and references cannot both come from standard input.",
            advice="Name a file for one of them.",
        )
    content = typer.get_binary_stream("stdin").read(limit + 1)
    if len(content) > limit:
        raise TooLargeError(
            f"Standard input is larger than {limit // 1_000_000} MB.",
            advice="Take figures or supplements out, or raise VERISCITE_READING_MAX_BYTES.",
        )
    if not content.strip():
        raise InputError("Standard input is empty.", advice="Pipe the manuscript's text in, or name a file.")
    if references is None:
        return ManuscriptInput(content, "standard input")
    return ManuscriptInput(content, "standard input", read_file(references, limit), references.name)
