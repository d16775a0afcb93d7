# SPDX-License-Identifier: Apache-2.0
"""Shell completion and manual pages, of the table of options."""

from __future__ import annotations

import re

from option_table import Option, Table

FILE_WORDS = ("FILE", "DIR", "JAR")


def _commands(table: Table, program: str) -> list[str]:
    return list(table.subcommands) if program == "OnnxFold" else ["fold"]


def _values(option: Option, table: Table, program: str) -> list[str]:
    """What the value may be; the subjects of --help are those that are no options."""
    if option.id == "help":
        return ["all", *table.groupsOf(program), *(table.subcommands if program == "OnnxFold" else [])]
    return option.values


def _words(option: Option, table: Table, program: str) -> list[str]:
    """What the shell may complete: a value that is still missing ends in '='."""
    name = option.dashes + option.name
    if option.name == "O":
        return ["-O0", "-O1", "-O2"]
    words = [name] if not option.takesValue or option.mayLackValue or option.dashes == "-" else []
    if option.takesValue and option.dashes == "--":
        words += [f"{name}={value}" for value in _values(option, table, program)] or [f"{name}="]
    return words


def bash(table: Table, program: str) -> str:
    command = table.programs[program]["Command"]
    function = "_" + command.replace("-", "_")
    names = _commands(table, program)
    cases = [
        f"    {name}) options='{' '.join(word for one in table.of(program, name) for word in _words(one, table, program))}' ;;" for name in names
    ]
    return "\n".join(
        [
            f"# Completion of {command} for bash, made of options/Options.td.",
            f"{function}() {{",
            "  local word command=fold options= current=${COMP_LINE:0:COMP_POINT}",
            "  current=${current##* }",
            '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
            f'    case $word in {"|".join(names)}) command=$word; break ;; esac',
            "  done",
            "  case $command in",
            *cases,
            "  esac",
            "  if [[ $current == -* ]]; then",
            '    COMPREPLY=($(compgen -W "$options" -- "$current"))',
            "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace",
            "    # bash completes what follows the last '='.",
            '    [[ $current == *=* ]] && COMPREPLY=("${COMPREPLY[@]#*=}")',
            "  else",
            f'    COMPREPLY=($(compgen -W "{" ".join(names) if len(names) > 1 else ""}" -- "$current") $(compgen -f -- "$current"))',
            "  fi",
            "}",
            f"complete -o filenames -F {function} {command}",
            "",
        ]
    )


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(table: Table, program: str) -> str:
    command = table.programs[program]["Command"]
    names = _commands(table, program)
    lines = [f"#compdef {command}", f"# Completion of {command} for zsh, made of options/Options.td.", "local command=fold"]
    lines += [f"case $words[2] in {'|'.join(names)}) command=$words[2] ;; esac", "case $command in"]
    for name in names:
        lines.append(f"{name}) _arguments \\")
        for one in table.of(program, name):
            value, text = one.textIn(program)
            text = re.sub(r"([\[\]:])", r"\\\1", text)
            spec = ("*" if "Repeatable" in one.flags else "") + one.dashes + one.name
            if one.takesValue:
                sign = "-" if one.name == "O" else "" if one.dashes == "-" else "=-"
                colons = "::" if one.mayLackValue else ":"
                values = _values(one, table, program)
                action = f"({' '.join(values)})" if values else "_files" if any(word in value for word in FILE_WORDS) else ""
                value = re.sub(r"([\[\]:])", r"\\\1", value)
                spec += f"{sign}[{text}]{colons}{value}:{action}"
            else:
                spec += f"[{text}]"
            lines.append(f"  {_quoted(spec)} \\")
        if name == "fold" and len(names) > 1:
            lines.append(f"  '1:model or subcommand:{{compadd {' '.join(names)}; _files}}' \\")
        lines.append("  '*:file:_files' ;;")
    return "\n".join([*lines, "esac", ""])


def fish(table: Table, program: str) -> str:
    command = table.programs[program]["Command"]
    lines = [f"# Completion of {command} for fish, made of options/Options.td."]
    names = _commands(table, program)
    others = [name for name in names if name != "fold"]
    if others:
        lines += [
            f"complete -c {command} -n __fish_use_subcommand -a {name} -d {_quoted(table.subcommands[name]['HelpText'])}"
            for name in names
        ]
    for one in table.of(program) if program != "OnnxFold" else [one for one in table.options if "OnnxFold" in one.programs]:
        value, text = one.textIn(program)
        line = f"complete -c {command} " + (f"-l {one.name}" if one.dashes == "--" and one.name != "O" else f"-s {one.name}")
        if others:
            tests = [f"__fish_seen_subcommand_from {' '.join(name for name in one.subcommands if name != 'fold')}"]
            tests = tests if any(name != "fold" for name in one.subcommands) else []
            tests += [f"not __fish_seen_subcommand_from {' '.join(others)}"] if "fold" in one.subcommands else []
            line += f" -n {_quoted('; or '.join(tests))}"
        if one.takesValue and not one.mayLackValue:
            line += " -r"
        if values := _values(one, table, program):
            line += f" -a {_quoted(' '.join(values))}"
        lines.append(f"{line} -d {_quoted(text)}")
    return "\n".join([*lines, ""])


def _roff(text: str) -> str:
    text = re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", text)  # (see another page)
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return "\\&" + text if text.startswith((".", "'")) else text


def _manOfUses(table: Table, program: str) -> list[str]:
    """Examples and exit statuses, of all subcommands."""
    lines = [".SH EXAMPLES"]
    for subcommand in table.subcommandsOf(program):
        for command, meaning in table.examples(program, subcommand):
            lines += [".TP", f".B {_roff(command)}", _roff(meaning + ".")]
    lines.append(".SH EXIT STATUS")
    for subcommand in table.subcommandsOf(program):
        lines += [f".SS {_roff(subcommand)}"] if subcommand else []
        for number, meaning in table.statuses(program, subcommand):
            lines += [".TP", f".B {number}", _roff(meaning + ".")]
    return lines


def man(table: Table, program: str) -> str:
    facts = table.programs[program]
    command = facts["Command"]
    lines = [f'.\\" Made of options/Options.td.', f'.TH "{command.upper()}" 1', ".SH NAME", _roff(f"{command} - {facts['Overview']}")]
    lines += [".SH SYNOPSIS", f".B {_roff(command)}", _roff(facts["Usage"])]
    for name, about in table.subcommands.items() if program == "OnnxFold" else []:
        if name != "fold":
            lines += [".br", f".B {_roff(f'{command} {name}')}", _roff(about["Usage"])]
    lines += [".SH DESCRIPTION", _roff(f"{command} {facts['Overview']}.")]
    for name, about in table.subcommands.items() if program == "OnnxFold" else []:
        lines += [".TP", f".B {_roff(name)}", _roff(about["HelpText"] + ".")]
        if name != "fold":
            lines.append(_roff("Options: " + ", ".join(one.dashes + one.name for one in table.of(program, name)) + "."))
    lines.append(".SH OPTIONS")
    for group, title in table.groups.items():
        options = [one for one in table.options if program in one.programs and one.group == group]
        lines += [f".SS {_roff(title)}"] if options else []
        for one in options:
            rows = one.fields.get("Rows") if program == "OnnxFold" else None
            for row in rows or [f"`{one.spelling(program)}` | {one.textIn(program)[1]} |"]:
                spelling, meaning, default = ([cell.strip() for cell in row.split(" | ")] + [""])[:3]
                default = default.rstrip("| ")
                is_default = default and group != "inputs"
                lines += [".TP", _roff(spelling), _roff(meaning.rstrip("| ") + (f" (default: {default})" if is_default else "") + ".")]
    lines += _manOfUses(table, program)
    return "\n".join([*lines, ""])


def files(table: Table) -> dict[str, str]:
    """By their places below share/."""
    made = {}
    for program, facts in table.programs.items():
        command = facts["Command"]
        made[f"bash-completion/completions/{command}"] = bash(table, program)
        made[f"zsh/site-functions/_{command}"] = zsh(table, program)
        made[f"fish/vendor_completions.d/{command}.fish"] = fish(table, program)
        made[f"man/man1/{command}.1"] = man(table, program)
    return made
