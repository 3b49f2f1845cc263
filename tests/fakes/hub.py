"""A look-alike of the model hub: as much of its protocol as fetching a model takes.

Commits, branches, lists of files, HEAD and GET of files with the headers that the hub library reads. Errors
carry the hub's `X-Error-Code`; outages are scripted (see `faults`).
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from tests.fakes.faults import Answer, json_answer
from tests.fakes.server import FakeServer, Request


@dataclass
class HubModel:
    """A repository with one commit.

    Attributes:
        files: Content of each file by its path.
        gated: Whether nobody is let in.
        commit: The hash of its only commit, which `main` stands for.
    """

    files: Mapping[str, bytes]
    gated: bool = False
    commit: str = "0123456789abcdef0123456789abcdef01234567"


def files_of(folder: Path) -> dict[str, bytes]:
    """Content of each file of a checkpoint's folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class FakeHub(FakeServer):
    """Serves `/api/models/...` and `/OWNER/NAME/resolve/...` from `models`, by hub id."""

    def __init__(self, models: Mapping[str, HubModel]) -> None:
        super().__init__()
        self.models = dict(models)
        handler = self._server.RequestHandlerClass
        handler.do_HEAD = handler._serve  # type: ignore[attr-defined]

    def answer(self, request: Request) -> Answer:
        """Answer as the others do; to HEAD with the length of the body, but without it."""
        reply = super().answer(request)
        if request.method != "HEAD":
            return reply
        # The server below closes after an answer that is shorter than it says; the client must hear of it.
        headers = {**reply.headers, "Connection": "close"}
        return replace(reply, body=b"", claimed_length=len(reply.body), headers=headers)

    @property
    def fetched(self) -> list[str]:
        """Names of the files whose content was asked for, in order."""
        return [
            unquote(request.path).split("/", 5)[5]
            for request in self.requests
            if request.method == "GET" and "/resolve/" in request.path
        ]

    def respond(self, request: Request) -> Answer | None:
        parts = unquote(request.path).strip("/").split("/")
        match parts:
            case ["api", "models", owner, name, "revision", revision]:
                return self._of(owner, name, revision) or self._info(owner, name)
            case ["api", "models", owner, name, "tree", revision, *_]:
                return self._of(owner, name, revision) or self._tree(owner, name)
            case [owner, name, "resolve", revision, *path]:
                return self._of(owner, name, revision) or self._file(owner, name, "/".join(path), request)
        return None

    def _of(self, owner: str, name: str, revision: str) -> Answer | None:
        """The error that stands in the way; None if nothing does."""
        model = self.models.get(f"{owner}/{name}")
        if model is None:
            # The real one does not tell a stranger whether a repository is missing or private.
            return _error(401, "RepoNotFound", "Invalid username or password.")
        if model.gated:
            return _error(403, "GatedRepo", f"Access to model {owner}/{name} is restricted.")
        if revision not in ("main", model.commit):
            return _error(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return None

    def _info(self, owner: str, name: str) -> Answer:
        model = self.models[f"{owner}/{name}"]
        siblings = [
            {"rfilename": path, "size": len(body), "blobId": _digest(body)}
            for path, body in model.files.items()
        ]
        return json_answer(
            {"id": f"{owner}/{name}", "modelId": f"{owner}/{name}", "sha": model.commit, "siblings": siblings}
        )

    def _tree(self, owner: str, name: str) -> Answer:
        model = self.models[f"{owner}/{name}"]
        return json_answer(
            [
                {"type": "file", "path": path, "size": len(body), "oid": _digest(body)}
                for path, body in model.files.items()
            ]
        )

    def _file(self, owner: str, name: str, path: str, request: Request) -> Answer:
        model = self.models[f"{owner}/{name}"]
        body = model.files.get(path)
        if body is None:
            return _error(404, "EntryNotFound", "Entry not found")
        etag = f'"{_digest(body)}"'
        headers = {
            "ETag": etag,
            "X-Linked-ETag": etag,
            "X-Linked-Size": str(len(body)),
            "X-Repo-Commit": model.commit,
            "Accept-Ranges": "bytes",
        }
        return Answer(body=body, content_type="application/octet-stream", headers=headers)


def _digest(body: bytes) -> str:
    return hashlib.sha1(body).hexdigest()


def _error(status: int, code: str, message: str) -> Answer:
    return json_answer(
        {"error": message}, status=status, headers={"X-Error-Code": code, "X-Error-Message": message}
    )
