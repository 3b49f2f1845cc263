"""One exception tree. Every error says what to do next, and whether trying again may help."""

from typing import ClassVar


class VeriSciteError(Exception):
    """Base of all errors of VeriScite.

    Args:
        message: What is wrong, in a sentence.
        advice: What the user can do next, in a sentence.

    Attributes:
        code: A stable name for machines.
        retryable: Whether the same call may succeed later.
    """

    code: ClassVar[str] = "error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice

    def __str__(self) -> str:
        return f"{self.message} {self.advice}".strip()


class InputError(VeriSciteError):
    """The user's input cannot be used as it is (exit code 2)."""

    code = "bad_input"


class UnreadableFileError(InputError):
    """A file is missing, is not what it says it is, or is broken."""

    code = "unreadable_file"


class NoTextLayerError(UnreadableFileError):
    """A PDF holds pictures of text only."""

    code = "no_text_layer"


class PasswordRequiredError(UnreadableFileError):
    """A PDF opens only with a password."""

    code = "password_required"


class TooLargeError(InputError):
    """An input is larger than the limit."""

    code = "too_large"


class NoReferencesError(InputError):
    """There is no reference list, neither apart nor in the manuscript."""

    code = "no_references"


class NoCitationsError(InputError):
    """The manuscript holds no citation marker."""

    code = "no_citations"


class UnwritableFolderError(InputError):
    """A folder that results should go to cannot be written to."""

    code = "unwritable_folder"


class SettingsError(InputError):
    """A setting cannot be used."""

    code = "bad_settings"


class SourceError(VeriSciteError):
    """An evidence source could not be asked: nothing is known of whether the work exists."""

    code = "source_failed"
    retryable = True


class RateLimitedError(SourceError):
    """A source asks us to wait longer than we may."""

    code = "rate_limited"


class ModelError(VeriSciteError):
    """A model could not be loaded or run."""

    code = "model_failed"


class ModelNotFoundError(ModelError):
    """Weights or an adapter are missing, or are not what their hash says."""

    code = "model_not_found"


class LabelMappingError(ModelError):
    """A checkpoint's labels cannot be mapped to SUPPORT, CONTRADICT and NOT_ENOUGH_INFO."""

    code = "unknown_labels"


class ChatError(VeriSciteError):
    """A chat model could not be asked, or what it answered cannot be used."""

    code = "chat_failed"


class ChatUnavailableError(ChatError):
    """The chat API did not answer: outage, rate limit, time-out."""

    code = "chat_unavailable"
    retryable = True


class ChatAnswerError(ChatError):
    """The chat model answered, but not as it was asked to."""

    code = "chat_answer_unusable"


class PromptError(VeriSciteError):
    """A prompt file is missing, or its variables are not those expected."""

    code = "bad_prompt"


class NoEvidenceError(VeriSciteError):
    """A verifier was asked without evidence: a fault of ours, never a verdict."""

    code = "no_evidence"


class RunCancelledError(VeriSciteError):
    """The run was cancelled before it had anything to report."""

    code = "cancelled"


class ClaimTimeoutError(VeriSciteError):
    """One claim took longer than it may."""

    code = "timeout"
    retryable = True
