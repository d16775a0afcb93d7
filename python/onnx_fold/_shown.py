# SPDX-License-Identifier: Apache-2.0
"""Results as HTML for notebooks: a title, the numbers, the three largest groups."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def escaped(value: object) -> str:
    from html import escape

    return escape(str(value))


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    shown = "".join("<tr>" + "".join(f"<td>{escaped(one)}</td>" for one in row) + "</tr>" for row in rows)
    if not shown:
        return ""
    return "<table><thead><tr>" + "".join(f"<th>{escaped(one)}</th>" for one in head) + f"</tr></thead><tbody>{shown}</tbody></table>"


def page(title: str, *parts: str) -> str:
    return f"<div><p><b>{escaped(title)}</b></p>{''.join(parts)}</div>"
