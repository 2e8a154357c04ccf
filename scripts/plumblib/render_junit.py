"""A report as JUnit XML, which most CI systems can show."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from plumblib import rows
from plumblib.errors import Exit
from plumblib.judge import row_code
from plumblib.records import CaseVerdict, Outcome, Report

# What XML 1.0 cannot carry, however it is escaped.
_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(report: Report) -> str:
    """One test suite a suite, one test a case or claim; a verdict that is
    red is a failure, one that could not be found an error."""
    root = ET.Element("testsuites", name=_fit(report.title))
    suites: dict[str, list[ET.Element]] = {}
    for verdict in report.cases:
        tests = suites.setdefault(rows.suite_of(verdict), [])
        tests.append(_test(verdict, report))
    for name, tests in sorted(suites.items()):
        suite = ET.SubElement(
            root,
            "testsuite",
            name=_fit(name),
            tests=str(len(tests)),
            failures=str(sum(t.find("failure") is not None for t in tests)),
            errors=str(sum(t.find("error") is not None for t in tests)),
        )
        suite.extend(tests)
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _test(verdict: CaseVerdict, report: Report) -> ET.Element:
    name = verdict.id
    if verdict.against:
        name = f"{verdict.id} of {verdict.against}"
    test = ET.Element(
        "testcase", classname=rows.suite_of(verdict), name=_fit(name)
    )
    code = row_code(verdict, report.kind, report.strict)
    if code is not Exit.OK:
        kind = "failure" if code is Exit.FAILED else "error"
        told = ET.SubElement(
            test, kind, type=verdict.outcome.value, message=_fit(verdict.note)
        )
        told.text = _fit("".join(map(_line, rows.rows_of(verdict))))
    elif verdict.outcome is not Outcome.SAME:
        said = ET.SubElement(test, "system-out")
        said.text = _fit("".join(map(_line, rows.rows_of(verdict))))
    return test


def _line(row: rows.Row) -> str:
    return f"{'  '.join(cell for cell in rows.cells(row) if cell)}\n"


def _fit(text: str) -> str:
    return _UNFIT.sub("?", text)
