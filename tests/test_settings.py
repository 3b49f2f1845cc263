"""Settings read the environment, and only as documented."""

import pytest

from veriscite.settings import AnthropicSettings, EvidenceSettings, SemanticScholarSettings, Settings


def test_an_empty_key_is_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    monkeypatch.setenv("SEMANTIC_SCHOLAR_API_KEY", "")
    assert AnthropicSettings().api_key is None
    assert SemanticScholarSettings().api_key is None


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-very-secret")
    monkeypatch.setenv("S2_API_KEY", "s2-very-secret")
    settings = Settings()
    assert settings.anthropic.api_key is not None
    assert settings.anthropic.api_key.get_secret_value() == "sk-very-secret"
    assert settings.semantic_scholar.api_key is not None
    assert "very-secret" not in repr(settings) + str(settings.model_dump()) + settings.model_dump_json()


def test_variables_are_those_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "VERISCITE_EVIDENCE_OFFLINE": "true",
        "VERISCITE_NLI_MODEL": "some/model",
        "VERISCITE_BLIND_PROVIDER": "stand-in",
        "VERISCITE_BLIND_CHAT_MODEL": "claude-x",
        "VERISCITE_READING_MAX_BYTES": "1000",
        "VERISCITE_RUN_CLAIM_TIMEOUT_S": "7",
        "SEMANTIC_SCHOLAR_API_URL": "http://127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    assert settings.evidence.offline
    assert settings.nli.model == "some/model"
    assert settings.blind.provider == "stand-in"
    assert settings.anthropic.blind_model == "claude-x"
    assert settings.reading.max_bytes == 1000
    assert settings.run.claim_timeout_s == 7
    assert settings.semantic_scholar.api_url == "http://127.0.0.1:1"


@pytest.mark.parametrize("source", ["SEMANTIC_SCHOLAR", "OPENALEX", "CROSSREF", "EUROPE_PMC", "ARXIV"])
def test_every_source_has_its_settings(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    before = getattr(Settings(), source.lower())
    assert before.enabled
    assert before.api_url.startswith("https://")
    assert before.requests_per_second <= 10
    for name, value in {"API_URL": "http://127.0.0.1:1", "API_KEY": "k-secret", "TIMEOUT_S": "3"}.items():
        monkeypatch.setenv(f"{source}_{name}", value)
    monkeypatch.setenv(f"{source}_ENABLED", "false")
    after = getattr(Settings(), source.lower())
    assert (after.api_url, after.timeout_s, after.enabled) == ("http://127.0.0.1:1", 3, False)
    assert after.api_key.get_secret_value() == "k-secret"
    assert "k-secret" not in repr(after) + after.model_dump_json()


def test_the_email_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERISCITE_EMAIL", "someone@example.org")
    settings = Settings()
    assert settings.evidence.email is not None
    assert settings.evidence.email.get_secret_value() == "someone@example.org"
    assert "someone" not in repr(settings) + settings.model_dump_json()
    monkeypatch.setenv("VERISCITE_EMAIL", "")
    assert EvidenceSettings().email is None
