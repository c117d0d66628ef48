# SPDX-License-Identifier: Apache-2.0
"""JUnit XML, for whatever shows test results: a finding that has to be mended is a failed test, one that is ignored a skipped one."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from aclimb.check.finding import Finding
from aclimb.check.formats.text import finding_text
from aclimb.check.report import Report

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # a kernel's source may hold anything


def text(report: Report) -> str:
    root = ElementTree.Element("testsuites", name="aclimb check")
    suite = ElementTree.SubElement(root, "testsuite", name="aclimb check")
    failed = skipped = tests = 0
    for finding in report.findings:
        case = _case(suite, finding)
        tests += 1
        if finding.severity == "error" or (report.warnings_as_errors and finding.severity == "warning"):
            failure = ElementTree.SubElement(case, "failure", message=_clean(finding.headline), type=finding.rule)
            failure.text = _clean(finding_text(finding))
            failed += 1
        else:
            ElementTree.SubElement(case, "system-out").text = _clean(finding_text(finding))
    for finding, by in report.suppressed:
        ElementTree.SubElement(_case(suite, finding), "skipped", message=_clean(f"{by.short}: {by.reason or 'no reason given'}"))
        tests, skipped = tests + 1, skipped + 1
    errors = _whole(suite, report)
    for each in (root, suite):
        for name, value in (("tests", tests + 1), ("failures", failed), ("errors", errors), ("skipped", skipped)):
            each.set(name, str(value))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _whole(suite: ElementTree.Element, report: Report) -> int:
    """The check itself: a clean one has one test, which passes."""
    case = ElementTree.SubElement(suite, "testcase", classname="aclimb check", name="the program was checked to its end", time="0")
    if report.could_not:
        ElementTree.SubElement(case, "error", message=_clean(report.could_not), type="could not check")
    return 1 if report.could_not else 0


def _case(suite: ElementTree.Element, finding: Finding) -> ElementTree.Element:
    kernel = next((each.kernel for each in finding.accesses if each.kernel), "host")
    where = ", ".join(dict.fromkeys(each.short for each in finding.accesses if each.short))
    return ElementTree.SubElement(suite, "testcase", classname=_clean(kernel), name=_clean(f"{finding.rule} {where}".strip()), time="0")


def _clean(words: str) -> str:
    return _NOT_XML.sub("?", words)
