# SPDX-License-Identifier: Apache-2.0
"""What became of a model: operators before and after, the outcome of every node, what was verified.

The classes are views of the JSON report of the tool, whose contract is docs/report.md; `as_dict()` has all of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import _shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterator


class Node(Mapping[str, Any]):
    """A node of the model and what became of it (docs/report.md, "A node").

    It is a record, too: `node["op"]`, `dict(node)`, `pandas.DataFrame(report.nodes)`.
    """

    __slots__ = ("_fields",)

    # The columns of a record.
    COLUMNS = ("graph", "name", "op", "domain", "since", "outputs", "action", "reason", "reason_text", "bytes", "sources")

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def __getitem__(self, column: str) -> Any:
        if column not in self.COLUMNS:
            raise KeyError(column)
        return getattr(self, column)

    def __iter__(self) -> Iterator[str]:
        return iter(self.COLUMNS)

    def __len__(self) -> int:
        return len(self.COLUMNS)

    __hash__ = object.__hash__

    def _text(self, name: str) -> str:
        return str(self._fields[name])

    @property
    def graph(self) -> str:
        """The graph that it is in: `main/if_1/then_branch`."""
        return self._text("graph")

    @property
    def name(self) -> str:
        """Its name, possibly empty."""
        return self._text("name")

    @property
    def op(self) -> str:
        return self._text("op")

    @property
    def domain(self) -> str:
        return self._text("domain")

    @property
    def since(self) -> int:
        """The version of the operator's definition."""
        return int(self._fields["since"])

    @property
    def outputs(self) -> list[str]:
        return [str(name) for name in self._fields["outputs"]]

    @property
    def action(self) -> str:
        """`folded`, `removed`, `changed` or `kept`."""
        return self._text("action")

    @property
    def reason(self) -> str:
        """The code of the reason, `none` if there is none."""
        return str(self._fields["reason"]["code"])

    @property
    def reason_text(self) -> str:
        return str(self._fields["reason"]["text"])

    @property
    def bytes(self) -> int:
        """Of the constants in its place."""
        return int(self._fields["bytes"])

    @property
    def sources(self) -> list[str]:
        """The constants that those were computed from."""
        return [str(name) for name in self._fields.get("sources", ())]

    def __repr__(self) -> str:
        label = self.name or (self.outputs or [""])[0]
        reason = "" if self.reason == "none" else f" ({self.reason})"
        return f"<Node {self.op} {label!r} {self.action}{reason}>"


class Verification:
    """A comparison of two models on the same inputs. It is true if they are equal.

    trials    how often both were run
    equal     every output was compared, and no difference was found
    complete  every output was compared
    compared  what was compared, value by value (docs/report.md, "verify")
    not_run   what could not be run, and why
    models    the names of the two models
    """

    __slots__ = ("trials", "equal", "complete", "compared", "not_run", "models")

    def __init__(self, fields: dict[str, Any]) -> None:
        self.trials: int = fields["trials"]
        self.equal: bool = fields["equal"]
        self.complete: bool = fields.get("complete", True)
        self.compared: list[dict[str, Any]] = fields["compared"]
        self.not_run: list[dict[str, Any]] = fields["not_run"]
        self.models: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.equal

    def differences(self) -> list[dict[str, Any]]:
        """The values that differ."""
        return [value for value in self.compared if not value["equal"]]

    def as_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "models"}

    def _said(self) -> str:
        what = "; ".join(f"{one['name']}: {one.get('difference', '')}" for one in self.differences())
        what = what or ("equal" if self.equal else "not all outputs were compared")
        of = f" of {' and '.join(self.models)}" if self.models else ""
        return f"{len(self.compared)} values{of} in {self.trials} trials: {what}"

    def __repr__(self) -> str:
        return f"<Verification of {self._said()}>"

    def _repr_html_(self) -> str:
        """For notebooks: the first three values that differ."""
        rows = [(one["name"], one.get("difference", "")) for one in self.differences()]
        rows += [(one["name"], one["text"]) for one in self.not_run]
        return _shown.page(f"Verification of {self._said()}", _shown.table(("value", "difference"), rows[:3]))


class Report:
    """The report of one run. `print(report)` shows the operators that became fewer or more."""

    def __init__(self, text: str | bytes) -> None:
        self._text = text
        self._fields: dict[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The report as JSON has it."""
        if self._fields is None:
            import json

            fields = json.loads(self._text)
            self._fields = fields.get("report", fields)
            assert self._fields is not None
        return self._fields

    @property
    def changed(self) -> bool:
        """The result is another model than the input."""
        return bool(self.as_dict()["changed"])

    @property
    def bytes_before(self) -> int:
        """The size of the model file, without external data."""
        return int(self.as_dict()["bytes_before"])

    @property
    def bytes_after(self) -> int:
        return int(self.as_dict()["bytes_after"])

    @property
    def peak_bytes(self) -> int:
        """The most memory that the tool used."""
        return int(self.as_dict()["peak_bytes"])

    @property
    def seconds(self) -> float:
        return float(self.as_dict()["seconds"])

    @property
    def steps(self) -> dict[str, float]:
        """How many seconds each step took: read, evaluate, plan, rewrite, write, ..."""
        return {step["name"]: step["seconds"] for step in self.as_dict()["steps"]}

    @property
    def warnings(self) -> list[str]:
        return [str(text) for text in self.as_dict()["warnings"]]

    @property
    def nodes(self) -> list[Node]:
        """Every node of the model, in its order; none with `nodes=False`."""
        return [Node(fields) for fields in self.as_dict()["nodes"]]

    @property
    def operators_before(self) -> dict[str, int]:
        """How many nodes of each operator there were: `{"Conv": 53, "ai.onnx.ml.Scaler": 1}`."""
        return {op: counts[0] for op, counts in self.as_dict()["ops"].items() if counts[0]}

    @property
    def operators_after(self) -> dict[str, int]:
        return {op: counts[1] for op, counts in self.as_dict()["ops"].items() if counts[1]}

    @property
    def verification(self) -> Verification | None:
        """What was compared, if anything was."""
        fields = self.as_dict().get("verify")
        return None if fields is None else Verification(fields)

    @property
    def cut(self) -> dict[str, Any] | None:
        """With `inputs` or `outputs`: what was cut off (docs/report.md)."""
        fields: dict[str, Any] | None = self.as_dict().get("cut")
        return fields

    @property
    def cleaning(self) -> dict[str, Any] | None:
        """Of strip, constants, sort, prune and inputs_without_initializers: what was done (`what`, `count`, `bytes`), and what
        constants had to leave (`name`, `reason`)."""
        fields: dict[str, Any] | None = self.as_dict().get("cleaning")
        return fields

    @property
    def kept_initializers(self) -> dict[str, Any] | None:
        """With `keep_initializers`: what was kept for them (docs/report.md)."""
        fields: dict[str, Any] | None = self.as_dict().get("kept_initializers")
        return fields

    @property
    def cache(self) -> dict[str, Any] | None:
        """With `cache`: how many values were taken from it (docs/report.md)."""
        fields: dict[str, Any] | None = self.as_dict().get("cache")
        return fields

    @property
    def run_once(self) -> dict[str, Any] | None:
        """With `run_once`: what the once model computes (docs/report.md)."""
        fields: dict[str, Any] | None = self.as_dict().get("run_once")
        return fields

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The report as a page (docs/report.md): the text of it, which is also written to `path` if that is given."""
        return self._shown("html", path)

    def to_model_explorer(self, path: str | os.PathLike[str] | None = None) -> str:
        """Node data for Google's Model Explorer, as JSON; as `to_html`."""
        return self._shown("model-explorer", path)

    def _shown(self, form: str, path: str | os.PathLike[str] | None) -> str:
        import json
        import os
        import tempfile

        from . import _tool

        with tempfile.TemporaryDirectory(prefix="onnx-fold-") as folder, _tool.openMemory("onnx-fold-report") as given:
            file = os.path.join(folder, "report") if path is None else os.fspath(path)
            text = self._text if self._fields is None else json.dumps(self._fields)
            given.write(text.encode() if isinstance(text, str) else text)
            given.seek(0)
            run = _tool.run(["report", "-", f"--report={form}:{file}"], given)
            if run.status != 0:
                from .errors import FoldError

                message = run.error or {}
                raise FoldError(str(message.get("text", "the report cannot be shown")), "failed", run.status, message)
            with open(file, encoding="utf-8") as shown:
                return shown.read()

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Kept nodes by reason: code, nodes, bytes_left_out, remedy and command, the largest group first."""
        groups: list[dict[str, Any]] = self.as_dict().get("groups", [])
        return groups

    def to_pandas(self) -> Any:
        """The nodes as a pandas.DataFrame, one row each; no rows with `nodes=False`."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError(f"to_pandas needs the package pandas, which cannot be imported: {error}") from error
        return pandas.DataFrame([dict(node) for node in self.nodes], columns=list(Node.COLUMNS))

    def kept_by_reason(self) -> dict[str, list[Node]]:
        """The nodes that were kept, by the code of the reason; the most frequent reason first.

        Nodes whose operands depend on the inputs of the model (`input-not-constant`) and Constant nodes (`constant`) are most
        of a model, and among them. docs/report.md says of each code what a user can do.
        """
        groups: dict[str, list[Node]] = {}
        for node in self.nodes:
            if node.action == "kept":
                groups.setdefault(node.reason, []).append(node)
        return dict(sorted(groups.items(), key=lambda group: -len(group[1])))

    def __str__(self) -> str:
        ops: dict[str, list[int]] = self.as_dict()["ops"]
        width = max([8, *map(len, ops)])
        rows = [(op, before, after) for op, (before, after) in ops.items() if before != after]
        rows.append(("all", sum(one[0] for one in ops.values()), sum(one[1] for one in ops.values())))
        rows.append(("bytes", self.bytes_before, self.bytes_after))
        head = f"{'operator':{width}}{'before':>10}{'after':>10}"
        return "\n".join([head, *(f"{op:{width}}{before:>10}{after:>10}" for op, before, after in rows)])

    def counted(self) -> str:
        """The numbers in a line: nodes and bytes of the model file before and after."""
        if "ops" not in self.as_dict():
            return "no report"
        before, after = sum(self.operators_before.values()), sum(self.operators_after.values())
        return f"{before} nodes before, {after} after, {self.bytes_before} bytes before, {self.bytes_after} after"

    def __repr__(self) -> str:
        return f"<Report: {self.counted()}>"

    def _largest(self) -> list[tuple[str, int, str]]:
        """The three largest groups of kept nodes: why, how many, and what to do about it."""
        return [(one["code"], one["nodes"], one.get("remedy", "")) for one in self.groups[:3]]

    def asHtml(self, title: str) -> str:
        """The numbers, the operators that changed most, and the largest groups of kept nodes."""
        ops: dict[str, list[int]] = self.as_dict().get("ops", {})
        rows = sorted(((op, one[0], one[1]) for op, one in ops.items() if one[0] != one[1]), key=lambda row: row[2] - row[1])
        most: list[tuple[object, ...]] = [*rows[:3]]
        if ops:
            most.append(("all", sum(one[0] for one in ops.values()), sum(one[1] for one in ops.values())))
            most.append(("bytes", self.bytes_before, self.bytes_after))
        kept = _shown.table(("kept because", "nodes", "remedy"), self._largest())
        return _shown.page(title, _shown.table(("operator", "before", "after"), most), kept)

    def _repr_html_(self) -> str:
        """For notebooks."""
        return self.asHtml(repr(self)[1:-1])


class Difference(Report):
    """How two models differ (`onnx_fold.diff`); docs/report.md, "Differences". It is true if they do. `print(difference)` shows
    all of it."""

    def __bool__(self) -> bool:
        return self.changed

    @property
    def equal(self) -> bool:
        """The models compute the same from the same constants, whatever their nodes are called."""
        return not self.changed

    @property
    def counts(self) -> dict[str, int]:
        """How many nodes are same (of these, renamed), changed, removed (only in the first model) and added."""
        return {name: value for name, value in self.as_dict()["difference"].items() if name != "models"}

    @property
    def models(self) -> list[str]:
        """Differences of the models as such: inputs, outputs, opsets."""
        return [str(text) for text in self.as_dict()["difference"]["models"]]

    @property
    def changed_nodes(self) -> list[Node]:
        """Nodes of both models that differ; `reason_text` says in what."""
        return [node for node in self.nodes if node.action == "changed"]

    @property
    def removed_nodes(self) -> list[Node]:
        """Nodes that only the first model has."""
        return [node for node in self.nodes if node.action == "removed"]

    @property
    def added_nodes(self) -> list[Node]:
        """Nodes that only the second model has."""
        return [Node(fields) for fields in self.as_dict()["new_nodes"]]

    @property
    def constants(self) -> list[dict[str, Any]]:
        """The constants that differ: graph, name, type, shape, bytes, action, and of changed ones `difference`."""
        return [one for one in self.as_dict()["constants"] if one["action"] != "kept"]

    def to_model_explorer(self, path: str | os.PathLike[str] | None = None) -> str:
        raise TypeError("a difference has no form for Model Explorer")

    def __str__(self) -> str:
        lines = list(self.models)
        for mark, nodes in (("-", self.removed_nodes), ("!", self.changed_nodes), ("+", self.added_nodes)):
            for node in nodes:
                why = f": {node.reason_text}" if node.reason_text else ""
                lines.append(f"{mark} {node.op}-{node.since} {node.name or (node.outputs or [''])[0]}{why}")
        marks = {"removed": "-", "added": "+", "changed": "!"}
        for one in self.constants:
            lines.append(f"{marks[one['action']]} constant {one['name']}: {one.get('difference') or str(one['bytes']) + ' bytes'}")
        lines.append(", ".join(f"{value} {name}" for name, value in self.counts.items()))
        return "\n".join(lines)

    def _said(self) -> str:
        if self.equal:
            return "equal"
        counts = [f"{value} {name}" for name, value in self.counts.items() if value]
        return ", ".join([*self.models[:3], *counts, *([f"{len(self.constants)} constants differ"] if self.constants else [])])

    def __repr__(self) -> str:
        return f"<Difference: {self._said()}>"

    def asHtml(self, title: str) -> str:
        """The numbers, and the operators of which most nodes differ."""
        groups: dict[tuple[str, str], int] = {}
        for what, nodes in (("changed", self.changed_nodes), ("removed", self.removed_nodes), ("added", self.added_nodes)):
            for node in nodes:
                groups[node.op, what] = groups.get((node.op, what), 0) + 1
        largest = sorted(groups.items(), key=lambda group: -group[1])[:3]
        rows = [(op, what, count) for (op, what), count in largest]
        counts = _shown.table(("nodes", "number"), self.counts.items())
        return _shown.page(title, counts, _shown.table(("operator", "what", "nodes"), rows))
