"""What sources need to be told. The settings have these fields; a stage does not import them."""

from typing import Protocol

from pydantic import SecretStr


class NetworkOptions(Protocol):
    """How long to wait for a source, and how often to ask it."""

    @property
    def timeout_s(self) -> float:
        """Seconds that one request may take."""
        ...

    @property
    def max_wait_s(self) -> float:
        """Seconds that one question may spend waiting between attempts."""
        ...

    @property
    def attempts(self) -> int:
        """Requests at most for one question."""
        ...

    @property
    def email(self) -> SecretStr | None:
        """The user's address, which polite pools ask for."""
        ...


class CacheOptions(Protocol):
    """How long answers are kept."""

    @property
    def cache_days(self) -> float:
        """Days for evidence."""
        ...

    @property
    def negative_cache_days(self) -> float:
        """Days for all other answers."""
        ...


class SourceOptions(Protocol):
    """Where a service is, and how it may be asked."""

    @property
    def api_url(self) -> str:
        """Base address."""
        ...

    @property
    def api_key(self) -> SecretStr | None:
        """Key, if there is one."""
        ...

    @property
    def requests_per_second(self) -> float:
        """Pace."""
        ...

    @property
    def timeout_s(self) -> float | None:
        """Seconds that one request may take; None for the time that holds for all sources."""
        ...
