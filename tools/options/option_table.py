# SPDX-License-Identifier: Apache-2.0
"""The table of options (options/Options.td), as llvm-tblgen -dump-json has it."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "options/Options.td"
TABLEGEN = "/usr/lib/llvm-22/bin/llvm-tblgen"


@dataclass
class Option:
    """An option in all its spellings; `fields` are those of its record."""

    id: str
    name: str  # without dashes
    fields: dict
    programs: list[str]
    subcommands: list[str]
    flags: set[str]
    group: str
    values: list[str] = field(default_factory=list)

    @property
    def dashes(self) -> str:
        return "-" if len(self.name) == 1 else "--"

    @property
    def takesValue(self) -> bool:
        return self.fields["Kind"]["def"] == "KIND_JOINED"

    @property
    def mayLackValue(self) -> bool:
        return self.fields["isOptionalValue"]

    @property
    def apiName(self) -> str:
        return self.fields.get("ApiName") or self.name

    @property
    def pythonName(self) -> str:
        return self.fields.get("PythonName") or self.apiName.replace("-", "_")

    def textIn(self, program: str) -> tuple[str, str]:
        """The word for its value, and what it does."""
        for text in self.fields.get("Texts", []):
            if text["In"]["def"] == program:
                return text["Value"], text["Text"]
        return self.fields["MetaVarName"] or "", self.fields["HelpText"] or ""

    def briefIn(self, program: str, table: Table) -> str:
        """What the first screen of --help says: the first clause, unless the record has another text."""
        if self.id == "help":
            return f"{self.fields['BriefText']} {', '.join(table.groupsOf(program))}"
        return self.fields.get("BriefText") or re.split(r"; | \((?!default)", self.textIn(program)[1])[0]

    def spelling(self, program: str) -> str:
        """As --help has it: --verify[=N]."""
        value, _ = self.textIn(program)
        if not self.takesValue:
            return self.dashes + self.name
        if self.name == "O":
            return "-O" + value
        sign = " " if self.dashes == "-" else "="
        return f"{self.dashes}{self.name}" + (f"[{sign}{value}]" if self.mayLackValue else sign + value)


@dataclass
class Table:
    options: list[Option]
    groups: dict[str, str]  # title by name
    programs: dict[str, dict]
    subcommands: dict[str, dict]
    rules: list[dict]
    elsewhere: list[dict] = field(default_factory=list)

    def groupsOf(self, program: str) -> list[str]:
        return [group for group in self.groups if any(program in one.programs for one in self.options if one.group == group)]

    def subcommandsOf(self, program: str) -> list[str]:
        """[""] if it has none."""
        return list(self.subcommands) if program == "OnnxFold" else [""]

    def _uses(self, program: str, subcommand: str, name: str) -> list[list[str]]:
        facts = self.subcommands[subcommand] if subcommand else self.programs[program]
        return [row.split(" | ") for row in facts[name]]

    def examples(self, program: str, subcommand: str) -> list[tuple[str, str]]:
        """(command, meaning)."""
        command = self.programs[program]["Command"]
        return [(f"{command} {words}", meaning) for words, meaning in self._uses(program, subcommand, "Examples")]

    def statuses(self, program: str, subcommand: str) -> list[tuple[str, str]]:
        """(exit status, meaning)."""
        return [(number, meaning) for number, meaning in self._uses(program, subcommand, "Statuses")]

    def of(self, program: str, subcommand: str | None = None, group: str | None = None, common: bool = False) -> list[Option]:
        return [
            one
            for one in self.options
            if program in one.programs
            and (not one.subcommands or subcommand in one.subcommands or program != "OnnxFold")
            and (group is None or one.group == group)
            and (not common or "Common" in one.flags)
        ]

    def option(self, identifier: str) -> Option:
        return next(one for one in self.options if one.id == identifier)


def _line(record: dict) -> tuple[int, int]:
    """Where a record is declared, for the order."""
    file, _, line = record["!locs"][-1].rpartition(":")
    return (0 if "Classes" in file else 1, int(line))


def read(records: dict) -> Table:
    """`records`: what -dump-json prints."""

    def of(name: str) -> list[dict]:
        for one in records["!instanceof"][name]:
            texts = records[one].get("Texts", [])
            records[one]["Texts"] = [records[text["def"]] if text.get("def") in records else text for text in texts]
        return sorted((records[one] for one in records["!instanceof"][name]), key=_line)

    names = lambda values: [one["def"] for one in values or []]  # noqa: E731
    aliases = {record["Alias"]["def"]: record for record in of("Option") if record["Alias"]}
    options = []
    for record in of("Option"):
        if record["Alias"] or record["Kind"]["def"] in ("KIND_INPUT", "KIND_UNKNOWN"):
            continue
        alias = aliases.get(record["!name"])
        record["isOptionalValue"] = alias is not None and alias["Kind"]["def"] == "KIND_FLAG"
        options.append(
            Option(
                record["!name"],
                record["Name"].rstrip("="),
                record,
                names(record["Visibility"]),
                [records[name]["Name"] for name in names(record["SubCommands"])],
                set(names(record["Flags"])),
                record["Group"]["def"],
                (record["Values"] or "").split(",") if record["Values"] else [],
            )
        )
    return Table(
        options,
        {record["!name"]: record["HelpText"] for record in of("OptionGroup")},
        {record["!name"]: record for record in of("Program")},
        {record["Name"]: record for record in of("SubCommand")},
        of("Rule"),
        of("Elsewhere"),
    )


def load(path: Path | None = None) -> Table:
    """From a file of -dump-json or a .td; without one from the table of this tree."""
    path = path or SOURCE
    if path.suffix == ".json":
        return read(json.loads(path.read_text()))
    command = [TABLEGEN, "-dump-json", "-I", Path(TABLEGEN).parents[1] / "include", "-I", SOURCE.parent, path]
    return read(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout))
