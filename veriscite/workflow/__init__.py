"""The workflow: steps 1, 2, 3, 5 and 6 in fixed order, and step 4 as an agent inside it."""

from veriscite.workflow.parts import Parts, RunOptions
from veriscite.workflow.run import WorkflowRun

__all__ = ["Parts", "RunOptions", "WorkflowRun"]
