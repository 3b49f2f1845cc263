"""What language models were asked in a run, and what it cost."""

from datetime import date

from pydantic import Field

from veriscite.domain.base import Frozen


class ModelUsage(Frozen):
    """What one model was asked in one role.

    Attributes:
        role: `pairing`, `blind`, `second_opinion`, `planner`.
        provider: Who was asked (`anthropic`, `openai`).
        model: Id of the model.
        calls: Calls that were answered.
        failed_calls: Calls that came to nothing; a provider may still have charged them.
        input_tokens: Tokens given, those read from a provider's cache included.
        cached_tokens: Of `input_tokens`, those read from the provider's cache.
        output_tokens: Tokens given back.
        cost_usd: US dollars by the price table; None where the table does not know the model.
    """

    role: str
    provider: str
    model: str
    calls: int = Field(default=0, ge=0)
    failed_calls: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost_usd: float | None = None


class Usage(Frozen):
    """What all models were asked in a run.

    Attributes:
        models: One entry for each role and model.
        cost_usd: The sum of those whose price is known.
        budget_usd: The bound that was set; None for none.
        budget_reached: Whether calls were left out for it.
        prices_as_of: The date of the price table; None where no language model took part.
    """

    models: tuple[ModelUsage, ...] = ()
    cost_usd: float = 0.0
    budget_usd: float | None = None
    budget_reached: bool = False
    prices_as_of: date | None = None
