# SPDX-License-Identifier: Apache-2.0
"""stats: what a model has and costs."""

from __future__ import annotations

from typing import Any

from . import _check, _models, _options, _shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from ._options import Paths, Sizes


class Stats:
    """What a model has and costs (`onnx_fold.stats`); docs/stats.md describes the fields. `print(stats)` shows the totals.

    A number that depends on open sizes is None, and the attribute with `_formula` has it as a text: `12*batch`.
    """

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def as_dict(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return self._fields

    @property
    def macs(self) -> int | None:
        """Multiply-adds of one run; None if they depend on open sizes."""
        value: int | None = self._fields["macs"]["value"]
        return value

    @property
    def macs_formula(self) -> str:
        return str(self._fields["macs"]["formula"])

    @property
    def uncounted(self) -> list[dict[str, Any]]:
        """Operators whose multiply-adds are not in `macs`, with the reason."""
        return list(self._fields["uncounted"])

    @property
    def parameters(self) -> int:
        """Elements of initializers and Constant nodes."""
        return int(self._fields["parameters"]["elements"])

    @property
    def parameter_bytes(self) -> int:
        return int(self._fields["parameters"]["bytes"])

    @property
    def activations(self) -> int | None:
        """The most bytes of activations at once; None if they depend on open sizes."""
        value: int | None = self._fields["activations"]["value"]
        return value

    @property
    def activations_formula(self) -> str:
        return str(self._fields["activations"]["formula"])

    @property
    def operators(self) -> list[dict[str, Any]]:
        """domain, type, written, called, macs; the most multiply-adds first."""
        return list(self._fields["operators"])

    @property
    def nodes(self) -> int:
        """Of the file: bodies and functions once."""
        return sum(int(one["written"]) for one in self.operators)

    @property
    def opsets(self) -> dict[str, int]:
        return dict(self._fields["opsets"])

    @property
    def inputs(self) -> dict[str, str]:
        """Types by name: `{"x": "f32[batch, 3]"}`."""
        return {one["name"]: one["type"] for one in self._fields["inputs"]}

    @property
    def outputs(self) -> dict[str, str]:
        return {one["name"]: one["type"] for one in self._fields["outputs"]}

    @property
    def warnings(self) -> list[str]:
        return list(self._fields["warnings"])

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """A page (docs/stats.md): the text of it, which is also written to `path` if that is given."""
        import json

        from .report import Report

        return Report(json.dumps(self._fields)).to_html(path)

    def _rows(self) -> list[tuple[str, object]]:
        macs = self.macs_formula if self.macs is None else self.macs
        bytes = self.activations_formula if self.activations is None else self.activations
        unknown = sum(int(one["nodes"]) for one in self.uncounted)
        rows: list[tuple[str, object]] = [("nodes", self.nodes), ("parameters", self.parameters)]
        rows += [("bytes of parameters", self.parameter_bytes), ("multiply-adds", "not known" if macs == "" else macs)]
        rows.append(("bytes of activations", "not known" if bytes == "" else bytes))
        return rows + ([("nodes not counted", unknown)] if unknown else [])

    def __str__(self) -> str:
        return "\n".join(f"{name:24}{value}" for name, value in self._rows())

    def __repr__(self) -> str:
        return f"<Stats: {', '.join(f'{value} {name}' for name, value in self._rows())}>"

    def _repr_html_(self) -> str:
        """For notebooks."""
        return _shown.page("Stats", _shown.table(("what", "number"), self._rows()))


def stats(
    model: str | os.PathLike[str] | Any,
    *,
    dims: Mapping[str, int] | None = None,
    input_shapes: Sizes | None = None,
    bind: Mapping[str, Any] | None = None,
    schemas: Paths = (),
    data_root: Paths = (),
    folder: str | os.PathLike[str] | None = None,
    threads: int = 0,
) -> Stats:
    """Operators, parameters, multiply-adds, memory of activations, and the runtimes that a model needs.

    Nothing is run, and weights are not read: a data file that is missing is a warning. The arguments are those of `fold`.
    """
    from ._fold import Call

    given = _check.checked(stats, dict(locals()))
    flags = [f"--threads={given['threads']}", *_options.dimensions("dim", given["dims"] or {})]
    flags += _options.sizes("input-shape", given["input_shapes"] or {})
    flags += _options.names("schemas", given["schemas"]) + _options.names("data-root", given["data_root"])
    with _models.sourceOf(model, given["folder"]) as source, _options.Files() as files:
        flags += _options.bindings(given["bind"] or {}, files)
        call = Call(source, None)
        run = call.start(["stats", *flags], None)
        call.expectSuccess(run)
        import json

        assert run.report is not None
        fields: dict[str, Any] = json.loads(run.report)["report"]
        fields["model"] = source.name
        return Stats(fields)
