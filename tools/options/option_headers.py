# SPDX-License-Identifier: Apache-2.0
"""The C++ that is made of the table of options: help, rules, members of FoldOptions and how they are set."""

from __future__ import annotations

import textwrap

from option_table import Option, Table

WIDTH, COLUMN = 80, 28


def _entry(option: Option, table: Table, program: str, isBrief: bool) -> str:
    spelling, text = "  " + option.spelling(program), option.textIn(program)[1]
    if isBrief:
        text = option.briefIn(program, table)
    lines = textwrap.wrap(text, WIDTH - COLUMN, break_on_hyphens=False)
    if len(spelling) < COLUMN - 1:
        lines = [spelling.ljust(COLUMN) + lines[0], *(" " * COLUMN + line for line in lines[1:])]
    else:
        lines = [spelling, *(" " * COLUMN + line for line in lines)]
    return "\n".join(lines) + "\n"


def _raw(text: str) -> str:
    return f'R"help({text})help"'


def _head(table: Table, program: str, subcommand: str) -> str:
    """What the program is for, and how it is called."""
    facts = table.programs[program]
    command, overview, usage = facts["Command"], facts["Overview"], facts["Usage"]
    if subcommand not in ("", "fold"):
        about = table.subcommands[subcommand]
        command, overview, usage = f"{command} {subcommand}", about["HelpText"], about["Usage"]
    lines = textwrap.wrap(f"{command}: {overview}", WIDTH, break_on_hyphens=False) + ["", f"  {command} {usage}"]
    if subcommand == "fold":
        lines += [f"  {command} {name} {one['Usage']}" for name, one in table.subcommands.items() if name != "fold"]
    return "\n".join(lines) + "\n"


def _examples(table: Table, program: str, subcommand: str) -> str:
    rows = [(f"  {command}  ", meaning) for command, meaning in table.examples(program, subcommand)]
    width = max(len(command) for command, _ in rows)
    return "\nExamples:\n" + "".join(f"{command:{width}}{meaning}\n" for command, meaning in rows)


def _statuses(table: Table, program: str, subcommand: str) -> str:
    text = "; ".join(f"{number} {meaning}" for number, meaning in table.statuses(program, subcommand))
    return "\n" + "\n".join(textwrap.wrap(f"Exit status: {text}.", WIDTH, break_on_hyphens=False)) + "\n"


def help(table: Table) -> str:
    """The parts of --help: HELP_TEXT of each program and subcommand, HELP_GROUP, and HELP_OPTION of each program."""
    made = []
    for program in table.programs:
        for subcommand in table.subcommandsOf(program):
            parts = ", ".join(_raw(make(table, program, subcommand)) for make in (_head, _examples, _statuses))
            made.append(f'HELP_TEXT({program}, "{subcommand}", {parts})\n')
    made = ["#ifdef HELP_TEXT\n", *made, "#endif\n#ifdef HELP_GROUP\n"]
    made += [f'HELP_GROUP({group}, "{title}")\n' for group, title in table.groups.items()]
    made.append("#endif\n#ifdef HELP_OPTION\n")
    for program in table.programs:
        for one in table.options:
            if program in one.programs:
                texts = ", ".join(_raw(_entry(one, table, program, isBrief)) for isBrief in (True, False))
                made.append(f"HELP_OPTION({program}, {one.id}, {texts})\n")
    return "".join([*made, "#endif\n"])


def elsewhere(table: Table) -> str:
    """ELSEWHERE(option of another tool, what it is called here)."""
    return "".join(f'ELSEWHERE("{one["There"]}", "{one["Here"]}")\n' for one in table.elsewhere)


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
    "Help.inc": help,
    "Elsewhere.inc": elsewhere,
    "Rules.inc": rules,
    "FoldRules.inc": foldRules,
    "FoldMembers.inc": members,
    "FoldSettings.inc": settings,
}
