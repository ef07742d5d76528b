"""The JSON schema of job files, for editors that complete and check them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from ..evidence import LEVELS
from ..rules.registry import RULES, describe_rules
from .model import TEXT, Job


def job_schema() -> dict[str, Any]:
    """What a job file may say, with the rules that there are."""
    schema = Job.model_json_schema()
    schema["properties"]["rules"]["items"] = {"anyOf": [TEXT, *map(_of_rule, describe_rules())]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _of_rule(rule: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {p["name"]: {"description": p["help"]} for p in rule["parameters"]}
    if "level" in {field.name for field in fields(RULES[rule["rule"]])}:
        parameters["level"] = {"description": "whom it takes for one contributor", "enum": list(LEVELS)}
    needed = [p["name"] for p in rule["parameters"] if p["default"] is None]
    return {
        "type": "object",
        "description": rule["summary"],
        "properties": {"rule": {"const": rule["rule"]}, **parameters},
        "required": ["rule", *needed],
        "additionalProperties": False,
    }
