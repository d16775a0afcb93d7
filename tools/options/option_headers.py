# SPDX-License-Identifier: Apache-2.0
"""The C++ that is made of the table of options: help, rules, members of FoldOptions and how they are set."""

from __future__ import annotations

import re
import textwrap

from option_table import Option, Table

WIDTH, COLUMN = 80, 28


def _entry(option: Option, program: str, isShort: bool) -> list[str]:
    spelling, text = "  " + option.spelling(program), option.textIn(program)[1]
    if isShort:
        text = re.split(r"; | \((?!default)", text)[0]
    lines = textwrap.wrap(text, WIDTH - COLUMN, break_on_hyphens=False)
    if len(spelling) < COLUMN - 1:
        return [spelling.ljust(COLUMN) + lines[0], *(" " * COLUMN + line for line in lines[1:])]
    return [spelling, *(" " * COLUMN + line for line in lines)]


def help(table: Table, program: str, subcommand: str | None, all: bool) -> str:
    """The text of --help or --help-all."""
    facts = table.programs[program]
    command, overview, usage = facts["Command"], facts["Overview"], facts["Usage"]
    if subcommand not in (None, "fold"):
        about = table.subcommands[subcommand]
        command, overview, usage = f"{command} {subcommand}", about["HelpText"], about["Usage"]
    lines = textwrap.wrap(f"{command}: {overview}", WIDTH) + ["", f"  {command} {usage}"]
    if program == "OnnxFold" and subcommand in (None, "fold"):
        lines += [f"  {command} {name} {one['Usage']}" for name, one in table.subcommands.items() if name != "fold"]
    hasMore = False
    for group, title in table.groups.items():
        options = table.of(program, subcommand or "fold", group)
        common = [one for one in options if "Common" in one.flags]
        hasMore |= len(common) < len(options)
        shown = options if all else common
        if shown:
            lines += ["", f"{title}:", *(line for one in shown for line in _entry(one, program, not all))]
    if not all and (not hasMore or subcommand not in (None, "fold")):
        return help(table, program, subcommand, all=True)
    return "\n".join(lines) + "\n"


def helpTexts(table: Table) -> str:
    """HELP(program, subcommand, text, text of all options)."""
    made = []
    for program in table.programs:
        for subcommand in table.subcommands if program == "OnnxFold" else [""]:
            texts = [help(table, program, subcommand or None, all) for all in (False, True)]
            made.append(f'HELP({program}, "{subcommand}",\n' + ",\n".join(f'R"help({text})help"' for text in texts) + ")\n")
    return "".join(made)


def rules(table: Table) -> str:
    """RULE(kind, first, second, value of the second, why or what was expected)."""
    made = []
    for rule in table.rules:
        kind = rule["!superclasses"][-1]
        text = rule["Expected"] if kind == "ExcludesValue" else rule["Why"]
        made.append(f'RULE({kind}, {rule["First"]["def"]}, {rule["Second"]["def"]}, "{rule.get("Value", "")}", "{text}")\n')
    return "".join(made)


def foldRules(table: Table) -> str:
    """FOLD_RULE, like RULE, between options that set members of FoldOptions: with names, and expressions in place of values."""
    made = []
    for rule in table.rules:
        first, second = (table.option(rule[one]["def"]) for one in ("First", "Second"))
        if not first.fields.get("IsGiven") or not (second.fields.get("IsGiven") or rule.get("IsValue")):
            continue
        kind = rule["!superclasses"][-1]
        text = rule["Expected"] if kind == "ExcludesValue" else rule["Why"]
        spelled = second.dashes + second.name
        if kind == "ExcludesValue":
            spelled += rule["Value"] if second.name == "O" else "=" + rule["Value"]
        made.append(
            f'FOLD_RULE({kind}, "{first.dashes}{first.name}", {first.fields["IsGiven"]}, "{spelled}", '
            f'{rule.get("IsValue") or second.fields["IsGiven"]}, "{text}")\n'
        )
    return "".join(made)


def members(table: Table) -> str:
    made = []
    for one in table.options:
        if one.fields.get("MemberName"):
            comment = textwrap.wrap(f"{one.dashes}{one.name}: {one.fields['HelpText']}.", 74)
            initial = one.fields["MemberInitial"]
            made += [f"/// {line}" for line in comment]
            made.append(f"{one.fields['MemberType']} {one.fields['MemberName']}" + (f" = {initial};" if initial else ";"))
    return "\n".join(made) + "\n"


def settings(table: Table) -> str:
    """FOLD_OPTION(name, statement): a name of the C ABI, and what sets the option."""
    return "".join(f'FOLD_OPTION("{one.apiName}", {one.fields["Read"]})\n' for one in table.options if one.fields.get("Read"))


def programs(table: Table) -> str:
    """PROGRAM(id, command), in the order of the bits of their visibility."""
    return "".join(f'PROGRAM({name}, "{facts["Command"]}")\n' for name, facts in table.programs.items())


FILES = {
    "Programs.inc": programs,
    "Help.inc": helpTexts,
    "Rules.inc": rules,
    "FoldRules.inc": foldRules,
    "FoldMembers.inc": members,
    "FoldSettings.inc": settings,
}
