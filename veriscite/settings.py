"""Small settings, one class per concern; the only place that reads the environment.

Each field can be set by an environment variable (its prefix and name in capitals, as in
`VERISCITE_NLI_MODEL`) or by the command line, which wins.
"""

from pathlib import Path
from typing import Annotated, Literal

from platformdirs import user_cache_path, user_data_path
from pydantic import AliasChoices, BeforeValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

# An empty variable is how shells and CI unset a key.
Key = Annotated[SecretStr | None, BeforeValidator(lambda value: None if value == "" else value)]


class StorageSettings(BaseSettings):
    """Where data is kept."""

    model_config = SettingsConfigDict(env_prefix="VERISCITE_", frozen=True)

    cache_dir: Path = Field(default_factory=lambda: user_cache_path("veriscite", appauthor=False))
    data_dir: Path = Field(default_factory=lambda: user_data_path("veriscite", appauthor=False))


class ReadingSettings(BaseSettings):
    """Limits on what is read, so that no input can exhaust the machine."""

    model_config = SettingsConfigDict(env_prefix="VERISCITE_READING_", frozen=True)

    max_bytes: int = 50_000_000
    max_characters: int = 10_000_000
    max_pages: int = 1_000
    max_references: int = 10_000


class EvidenceSettings(BaseSettings):
    """Sources of evidence and how they are asked.

    `budget_s` is what one run may spend on asking in all, waits included; 0 sets no limit. `email` goes to
    the services that serve those faster who say whom to write to, and nowhere else.
    """

    model_config = SettingsConfigDict(env_prefix="VERISCITE_EVIDENCE_", frozen=True, populate_by_name=True)

    email: Key = Field(default=None, validation_alias="VERISCITE_EMAIL")

    offline: bool = False
    timeout_s: float = Field(default=30.0, gt=0)
    max_wait_s: float = 120.0
    budget_s: float = 3_600.0
    attempts: int = 4
    cache_days: float = 90.0
    negative_cache_days: float = 7.0


class SourceSettings(BaseSettings):
    """What every source on the network can be told, besides its address and pace.

    `timeout_s` is that of one request; without it the time that holds for all sources counts.
    """

    api_key: Key = None
    timeout_s: float | None = Field(default=None, gt=0)
    enabled: bool = True


class SemanticScholarSettings(SourceSettings):
    """Semantic Scholar: with a key one request a second is granted; without, a shared pool."""

    model_config = SettingsConfigDict(env_prefix="SEMANTIC_SCHOLAR_", frozen=True, populate_by_name=True)

    api_url: str = "https://api.semanticscholar.org"
    api_key: Key = Field(
        default=None,
        validation_alias=AliasChoices("SEMANTIC_SCHOLAR_API_KEY", "S2_API_KEY"),
    )
    requests_per_second: float = 1.0


class OpenAlexSettings(SourceSettings):
    """OpenAlex: a free key raises what may be asked in a day."""

    model_config = SettingsConfigDict(env_prefix="OPENALEX_", frozen=True)

    api_url: str = "https://api.openalex.org"
    requests_per_second: float = 8.0


class CrossrefSettings(SourceSettings):
    """Crossref: VERISCITE_EMAIL leads to its polite pool, which allows three requests a second, not one.

    The key is that of its paid service.
    """

    model_config = SettingsConfigDict(env_prefix="CROSSREF_", frozen=True)

    api_url: str = "https://api.crossref.org"
    requests_per_second: float = 1.0


class EuropePmcSettings(SourceSettings):
    """Europe PMC: no key."""

    model_config = SettingsConfigDict(env_prefix="EUROPE_PMC_", frozen=True)

    api_url: str = "https://www.ebi.ac.uk"
    requests_per_second: float = 5.0


class ArxivSettings(SourceSettings):
    """arXiv: no key, and one request in three seconds."""

    model_config = SettingsConfigDict(env_prefix="ARXIV_", frozen=True)

    api_url: str = "https://export.arxiv.org"
    requests_per_second: float = 0.33


class NliSettings(BaseSettings):
    """The NLI verifier: a shipped adapter (`science`), a hub id, or a folder."""

    model_config = SettingsConfigDict(env_prefix="VERISCITE_NLI_", frozen=True)

    model: str = "science"
    revision: str | None = None
    device: str = "cpu"
    threads: int | None = None
    max_batch: int = 32
    collect_ms: float = 10.0


class BlindSettings(BaseSettings):
    """The blind verifier: `auto` takes Claude where a key is set, else the offline stand-in."""

    model_config = SettingsConfigDict(env_prefix="VERISCITE_BLIND_", frozen=True)

    provider: Literal["auto", "anthropic", "stand-in"] = "auto"
    stand_in_model: str = "general"


class AnthropicSettings(BaseSettings):
    """The Anthropic API."""

    model_config = SettingsConfigDict(env_prefix="ANTHROPIC_", frozen=True, populate_by_name=True)

    api_key: Key = None
    base_url: str = "https://api.anthropic.com"
    blind_model: str = Field(default="claude-haiku-5-5", validation_alias="VERISCITE_BLIND_CHAT_MODEL")
    planner_model: str = Field(default="claude-sonnet-5-5", validation_alias="VERISCITE_PLANNER_CHAT_MODEL")
    timeout_s: float = Field(default=60.0, validation_alias="VERISCITE_CHAT_TIMEOUT_S")
    max_retries: int = Field(default=2, validation_alias="VERISCITE_CHAT_MAX_RETRIES")
    concurrency: int = Field(default=4, validation_alias="VERISCITE_CHAT_CONCURRENCY")


class RunSettings(BaseSettings):
    """The run itself."""

    model_config = SettingsConfigDict(env_prefix="VERISCITE_RUN_", frozen=True)

    max_claims: int | None = None
    concurrency: int = 16
    actions: int = 3
    attribute: bool = True
    check_not_findings: bool = False
    max_error: float | None = None
    claim_timeout_s: float = 600.0
    check_references: bool = True
    references_timeout_s: float = 900.0


class Settings(BaseSettings):
    """All settings together."""

    model_config = SettingsConfigDict(frozen=True)

    storage: StorageSettings = Field(default_factory=StorageSettings)
    reading: ReadingSettings = Field(default_factory=ReadingSettings)
    evidence: EvidenceSettings = Field(default_factory=EvidenceSettings)
    semantic_scholar: SemanticScholarSettings = Field(default_factory=SemanticScholarSettings)
    openalex: OpenAlexSettings = Field(default_factory=OpenAlexSettings)
    crossref: CrossrefSettings = Field(default_factory=CrossrefSettings)
    europe_pmc: EuropePmcSettings = Field(default_factory=EuropePmcSettings)
    arxiv: ArxivSettings = Field(default_factory=ArxivSettings)
    nli: NliSettings = Field(default_factory=NliSettings)
    blind: BlindSettings = Field(default_factory=BlindSettings)
    anthropic: AnthropicSettings = Field(default_factory=AnthropicSettings)
    run: RunSettings = Field(default_factory=RunSettings)
