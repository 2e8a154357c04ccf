"""Exports are what the other tools read, and lose no figure."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from plumblib import codec, exports
from plumblib.cli import main
from plumblib.records import METRICS, Figure
from samples import case, measurement

NUMBER = {"type": "number"}
TEXT = {"type": "string"}

# What each tool requires, from its documentation or its parser.
SCHEMAS: dict[str, Any] = {
    "gbench": {
        "type": "object",
        "required": ["context", "benchmarks"],
        "properties": {
            "context": {
                "type": "object",
                "required": ["date", "num_cpus", "library_build_type"],
            },
            "benchmarks": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": [
                        "name",
                        "run_name",
                        "run_type",
                        "iterations",
                        "real_time",
                        "cpu_time",
                        "time_unit",
                    ],
                    "properties": {
                        "name": TEXT,
                        "run_type": {"enum": ["iteration", "aggregate"]},
                        "iterations": {"type": "integer", "minimum": 1},
                        "real_time": NUMBER,
                        "cpu_time": NUMBER,
                        "time_unit": {"enum": ["ns", "us", "ms", "s"]},
                        "error_message": TEXT,
                    },
                },
            },
        },
    },
    "bencher": {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"maxLength": 64},
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "required": ["value"],
                "properties": {
                    "value": NUMBER,
                    "lower_value": NUMBER,
                    "upper_value": NUMBER,
                },
            },
        },
    },
    "github-action-benchmark": {
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "unit", "value"],
            "properties": {
                "name": TEXT,
                "unit": TEXT,
                "value": NUMBER,
                "range": TEXT,
                "extra": TEXT,
            },
        },
    },
}

RUN = measurement(
    case(
        "demo/a_b/1@x",
        Figure(113_000, 1),
        heap_calls=2,
        heap_bytes=64,
        heap_peak=64,
        heap_live=0,
    ),
    case("demo/part/1", Figure(7, 2, 1)),
    case("demo/bad/1", failure="run: died"),
)


@pytest.mark.parametrize("name", sorted(exports.FORMATS))
def test_exports_follow_the_format(name: str) -> None:
    for run in RUN, measurement():
        told = json.loads(json.dumps(exports.FORMATS[name](run)))
        jsonschema.validate(told, SCHEMAS[name])


def test_google_benchmark_has_counters_and_errors() -> None:
    one, bad, part = exports.google_benchmark(RUN)["benchmarks"]
    assert one["name"] == "demo/a_b/1@x"
    assert one["real_time"] == one["cpu_time"] == 113_000
    assert one["label"] == "times are instructions"
    figures = {metric.name: one[metric.name] for metric in METRICS}
    assert list(figures.values()) == [113_000, 2, 64, 64, 0]
    assert bad["error_occurred"] is True
    assert bad["error_message"] == "run: died"
    assert part["instructions"] == 3.5


def test_bencher_bounds_a_figure_by_its_residual() -> None:
    told = exports.bencher(RUN)
    assert set(told) == {"demo/a_b/1@x", "demo/part/1"}
    assert told["demo/part/1"]["instructions"] == {
        "value": 3.5,
        "lower_value": 3,
        "upper_value": 4,
    }


def test_github_action_benchmark_names_case_and_metric() -> None:
    told = {
        entry["name"]: (entry["value"], entry["unit"], entry["range"])
        for entry in exports.github_action_benchmark(RUN)
    }
    assert told == {
        "demo/a_b/1@x": (113_000, "Ir", "± 0"),
        "demo/a_b/1@x heap_calls": (2, "calls", "± 0"),
        "demo/a_b/1@x heap_bytes": (64, "bytes", "± 0"),
        "demo/a_b/1@x heap_peak": (64, "bytes", "± 0"),
        "demo/a_b/1@x heap_live": (0, "bytes", "± 0"),
        "demo/part/1": (3.5, "Ir", "± 1"),
    }


def test_the_command_says_what_it_had_to_leave_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "m.json", tmp_path / "out.json"
    codec.save(path, RUN)
    words = ["export", str(path), "--format"]
    assert main([*words, "gbench", "-o", str(out)]) == 0
    assert json.loads(out.read_text()) == exports.google_benchmark(RUN)
    assert main([*words, "bencher"]) == 3
    said = capsys.readouterr()
    assert json.loads(said.out) == exports.bencher(RUN)
    assert "left out: demo/bad/1: run: died" in said.err


def test_a_file_that_is_no_measurement_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text("{}")
    assert main(["export", str(path), "--format", "bencher"]) == 2
