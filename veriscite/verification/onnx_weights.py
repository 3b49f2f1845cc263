"""Reads the float weights of a dynamically quantised DeBERTa out of its ONNX graph."""

from __future__ import annotations

from typing import Any

_PREFIX = "m."
_HEADS = ("pooler.dense", "classifier")
_EMBEDDINGS = "deberta.embeddings.word_embeddings"


def state_from_graph(graph_bytes: bytes) -> dict[str, Any]:
    """Dequantise the graph's weights under the parameter names that transformers gives them.

    Embeddings, pooler and classifier are quantised under their own names. The inner projections have
    anonymous weights: each takes its name from the bias that is added to its product further down the graph.

    Args:
        graph_bytes: An ONNX file.

    Returns:
        Parameter name -> float32 tensor.
    """
    import torch

    reader = _Reader(graph_bytes)
    arrays = {**reader.projections(), **reader.plain()}
    arrays[f"{_EMBEDDINGS}.weight"] = reader.dequantised(f"{_PREFIX}{_EMBEDDINGS}.weight")
    for head in _HEADS:
        arrays[f"{head}.weight"] = reader.dequantised(f"{_PREFIX}{head}.weight").T
    return {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}


class _Reader:
    """An ONNX graph with its initialisers and who consumes what."""

    def __init__(self, graph_bytes: bytes) -> None:
        import onnx
        from onnx import numpy_helper

        self._graph = onnx.load_model_from_string(graph_bytes).graph
        self._arrays = {item.name: numpy_helper.to_array(item) for item in self._graph.initializer}
        self._consumers: dict[str, list[Any]] = {}
        for node in self._graph.node:
            for name in node.input:
                self._consumers.setdefault(name, []).append(node)

    def dequantised(self, stem: str) -> Any:
        """The float weight whose parts are named `stem_quantized`, `stem_zero_point` and `stem_scale`."""
        import numpy as np

        quantised = self._arrays[f"{stem}_quantized"].astype(np.float32)
        zero_point = self._arrays[f"{stem}_zero_point"].astype(np.float32)
        return (quantised - zero_point) * self._arrays[f"{stem}_scale"]

    def projections(self) -> dict[str, Any]:
        """Weights of the linear layers inside the encoder, turned to (out, in)."""
        found: dict[str, Any] = {}
        for node in self._graph.node:
            if node.op_type != "MatMulInteger" or node.input[1] not in self._arrays:
                continue
            bias = self._bias_of(node)
            if bias is not None:
                stem = node.input[1].removesuffix("_quantized")
                weight = self._arrays[stem] if stem in self._arrays else self.dequantised(stem)
                found[bias.removeprefix(_PREFIX).removesuffix(".bias") + ".weight"] = weight.T
        return found

    def plain(self) -> dict[str, Any]:
        """Parameters that were never quantised: biases, norms, relative positions."""
        import numpy as np

        return {
            name.removeprefix(_PREFIX): array
            for name, array in self._arrays.items()
            if name.startswith(_PREFIX)
            and array.dtype == np.float32
            and array.ndim >= 1
            and not name.endswith("_scale")
        }

    def _bias_of(self, node: Any) -> str | None:
        # Cast and Mul (rescaling to float) stand between the integer product and its bias.
        for _ in range(4):
            following = self._consumers.get(node.output[0], [])
            for successor in following:
                bias = self._bias_in(successor)
                if bias is not None:
                    return bias
            if not following:
                return None
            node = following[0]
        return None

    def _bias_in(self, node: Any) -> str | None:
        if node.op_type != "Add":
            return None
        return next((str(n) for n in node.input if n.endswith(".bias") and n in self._arrays), None)
