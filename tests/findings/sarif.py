# SPDX-License-Identifier: Apache-2.0
"""What SARIF 2.1.0 asks of the objects that we write, as a table: names that are allowed, those that are needed (!), and what each holds.

The published schema allows no other names. `text`, `count` (0 and more), `line` (1 and more), `yes/no`, `uri`, `bag` (anything), `a|b` one
of these words, `[x]` a list, `{x}` a map, and the name of another object here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

OBJECTS: dict[str, dict[str, str]] = {
    "log": {"$schema": "uri", "version!": "2.1.0", "runs!": "[run]", "inlineExternalProperties": "[bag]", "properties": "bag"},
    "run": {"tool!": "tool", "invocations": "[invocation]", "originalUriBaseIds": "{artifactLocation}", "results": "[result]",
            "columnKind": "utf16CodeUnits|unicodeCodePoints", "language": "text", "artifacts": "[bag]", "automationDetails": "bag",
            "baselineGuid": "text", "taxonomies": "[bag]", "properties": "bag"},
    "tool": {"driver!": "toolComponent", "extensions": "[toolComponent]", "properties": "bag"},
    "toolComponent": {"name!": "text", "version": "text", "semanticVersion": "text", "fullName": "text", "organization": "text",
                      "informationUri": "uri", "downloadUri": "uri", "rules": "[reportingDescriptor]", "guid": "text", "properties": "bag"},
    "reportingDescriptor": {"id!": "text", "name": "text", "shortDescription": "multiformat", "fullDescription": "multiformat",
                            "help": "multiformat", "helpUri": "uri", "defaultConfiguration": "configuration", "guid": "text",
                            "properties": "bag"},
    "multiformat": {"text!": "text", "markdown": "text", "properties": "bag"},
    "configuration": {"enabled": "yes/no", "level": "none|note|warning|error", "rank": "count", "parameters": "bag", "properties": "bag"},
    "invocation": {"executionSuccessful!": "yes/no", "commandLine": "text", "arguments": "[text]", "exitCode": "count",
                   "toolExecutionNotifications": "[notification]", "toolConfigurationNotifications": "[notification]",
                   "workingDirectory": "artifactLocation", "properties": "bag"},
    "notification": {"message!": "message", "level": "none|note|warning|error", "locations": "[location]", "descriptor": "bag",
                     "properties": "bag"},
    "result": {"message!": "message", "ruleId": "text", "ruleIndex": "count", "kind": "pass|open|informational|notApplicable|review|fail",
               "level": "none|note|warning|error", "locations": "[location]", "relatedLocations": "[location]", "codeFlows": "[codeFlow]",
               "fingerprints": "{text}", "partialFingerprints": "{text}", "suppressions": "[suppression]", "occurrenceCount": "line",
               "baselineState": "new|unchanged|updated|absent", "guid": "text", "rank": "count", "fixes": "[bag]", "properties": "bag"},
    "message": {"text": "text", "markdown": "text", "id": "text", "arguments": "[text]", "properties": "bag"},
    "location": {"id": "count", "physicalLocation": "physicalLocation", "logicalLocations": "[bag]", "message": "message",
                 "annotations": "[region]", "properties": "bag"},
    "physicalLocation": {"artifactLocation": "artifactLocation", "region": "region", "contextRegion": "region", "address": "bag",
                         "properties": "bag"},
    "artifactLocation": {"uri": "uri", "uriBaseId": "text", "index": "count", "description": "message", "properties": "bag"},
    "region": {"startLine": "line", "startColumn": "line", "endLine": "line", "endColumn": "line", "snippet": "snippet",
               "charOffset": "count", "message": "message", "sourceLanguage": "text", "properties": "bag"},
    "snippet": {"text": "text", "binary": "text", "rendered": "multiformat", "properties": "bag"},
    "codeFlow": {"threadFlows!": "[threadFlow]", "message": "message", "properties": "bag"},
    "threadFlow": {"locations!": "[threadFlowLocation]", "id": "text", "message": "message", "properties": "bag"},
    "threadFlowLocation": {"location": "location", "kinds": "[text]", "executionOrder": "count", "nestingLevel": "count",
                           "importance": "important|essential|unimportant", "properties": "bag"},
    "suppression": {"kind!": "inSource|external", "justification": "text", "status": "accepted|underReview|rejected",
                    "location": "location", "guid": "text", "properties": "bag"},
}  # fmt: skip
NOT_EMPTY = {"codeFlow.threadFlows", "threadFlow.locations"}  # lists that have at least one
_URI = re.compile(r"[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*")  # relative ones too


def wrong(document: Any) -> list[str]:
    """Everything that SARIF would not take, with where it is."""
    return list(_object(document, "log", "$"))


def _object(value: Any, name: str, at: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{at} is no {name}"
        return
    allowed = {key.rstrip("!"): holds for key, holds in OBJECTS[name].items()}
    yield from (f"{at} has no {key[:-1]}" for key in OBJECTS[name] if key.endswith("!") and key[:-1] not in value)
    yield from (f"{at}.{key} does not belong to a {name}" for key in value if key not in allowed)
    if name == "message" and not {"text", "id"} & set(value):
        yield f"{at} says nothing"
    if name == "physicalLocation" and not {"artifactLocation", "address"} & set(value):
        yield f"{at} is nowhere"
    for key in set(value) & set(allowed):
        if f"{name}.{key}" in NOT_EMPTY and not value[key]:
            yield f"{at}.{key} is empty"
        yield from _value(value[key], allowed[key], f"{at}.{key}")


def _value(value: Any, holds: str, at: str) -> Iterator[str]:
    if holds in OBJECTS:
        yield from _object(value, holds, at)
    elif holds[0] == "[" or holds[0] == "{":
        is_right = isinstance(value, list if holds[0] == "[" else dict)
        if not is_right:
            yield f"{at} is no {holds}"
            return
        items = enumerate(value) if isinstance(value, list) else value.items()
        for key, each in items:
            yield from _value(each, holds[1:-1], f"{at}[{key}]")
    elif not _fits(value, holds):
        yield f"{at} is {value!r}, no {holds}"


def _fits(value: Any, holds: str) -> bool:
    match holds:
        case "bag":
            return isinstance(value, (dict, list))
        case "text":
            return isinstance(value, str)
        case "uri":
            return isinstance(value, str) and _URI.fullmatch(value) is not None
        case "yes/no":
            return isinstance(value, bool)
        case "count" | "line":
            return isinstance(value, int) and not isinstance(value, bool) and value >= (holds == "line")
        case _:
            return value in holds.split("|")
