"""Scripted finders: each raises on a question that nobody scripted."""

from collections.abc import Mapping, Sequence

from veriscite.domain import Reference
from veriscite.errors import SourceError
from veriscite.evidence.records import Record
from veriscite.ports import Emit, silent

Answer = Sequence[Record] | SourceError


class ScriptedFinder:
    """Answers by identifier (`doi:10.1/x`) and by reference id.

    Args:
        name: Its name.
        ids: Answers by identifier.
        words: Answers by reference id.
        silent_on_ids: Whether identifiers without a script are unknown there rather than a fault of the test.
    """

    def __init__(
        self,
        name: str,
        *,
        ids: Mapping[str, Answer] | None = None,
        words: Mapping[str, Answer] | None = None,
        silent_on_ids: bool = False,
    ) -> None:
        self._name = name
        self._ids = dict(ids or {})
        self._words = dict(words or {})
        self._silent_on_ids = silent_on_ids
        self.batches: list[list[str]] = []
        self.searched: list[str] = []

    @property
    def name(self) -> str:
        return self._name

    async def by_identifier(
        self, references: Sequence[Reference], emit: Emit = silent
    ) -> Mapping[str, Sequence[Record]]:
        if not references:
            return {}
        self.batches.append([reference.id for reference in references])
        found: dict[str, Sequence[Record]] = {}
        for reference in references:
            keys = [f"{k}:{v}" for k, v in reference.identifiers.model_dump(exclude_none=True).items()]
            known = [key for key in keys if key in self._ids]
            if not known and not self._silent_on_ids:
                raise AssertionError(f"{self._name} was asked for {keys}, which nobody scripted")
            found[reference.id] = ()
            for key in known:
                answer = self._ids[key]
                if isinstance(answer, SourceError):
                    raise answer
                found[reference.id] = (*found[reference.id], *answer)
        return found

    async def by_words(self, reference: Reference, emit: Emit = silent) -> Sequence[Record]:
        self.searched.append(reference.id)
        if reference.id not in self._words:
            raise AssertionError(f"{self._name} was searched for {reference.id}, which nobody scripted")
        answer = self._words[reference.id]
        if isinstance(answer, SourceError):
            raise answer
        return answer
