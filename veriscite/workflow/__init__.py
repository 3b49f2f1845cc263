"""The workflow: steps 1, 2, 3, 5 and 6 in fixed order, and step 4 as an agent inside it."""

from veriscite.workflow.parts import Parts, RunOptions
from veriscite.workflow.reference_run import ReferenceParts, ReferenceRun
from veriscite.workflow.run import WorkflowRun
from veriscite.workflow.streamed import StreamedRun

__all__ = ["Parts", "ReferenceParts", "ReferenceRun", "RunOptions", "StreamedRun", "WorkflowRun"]
