"""Times cases with plumb-wall, to be shown beside their counts.

A time is of one machine at one moment, so it is never compared and never
gated here; it tells a reader what the counted instructions amount to.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from plumblib import process
from plumblib.errors import NotMeasured

MIN_SECONDS = 0.05  # for one case, after google-benchmark found how many
_UNITS = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}


@dataclass(frozen=True)
class Times:
    """Processor time of one operation of each case, in ns, and where."""

    machine: str
    per_op: dict[str, float] = field(default_factory=dict)


def collect(
    folder: Path, subject: Path, root: Path, ids: Iterable[str]
) -> Times:
    """Time these cases with the plumb-wall in `folder`.  A case that
    fails has no time.  Raises NotMeasured when nothing was timed."""
    # Of what an id may have, only the dot means something in a pattern.
    names = "|".join(name.replace(".", "[.]") for name in sorted(ids))
    done = process.run(
        [
            folder / "plumb-wall",
            f"--subject={subject}",
            f"--root={root}",
            f"--benchmark_filter=^({names})$",
            f"--benchmark_min_time={MIN_SECONDS}",
            "--benchmark_format=json",
        ],
        check=False,
    )
    try:
        return parse(done.stdout)
    except (ValueError, KeyError, TypeError) as error:
        told = done.stderr.strip().splitlines() or [done.stdout[:200]]
        raise NotMeasured(
            f"plumb-wall {process.how_it_ended(done.code)}: {told[-1]}"
        ) from error


def parse(text: str) -> Times:
    """The JSON of google-benchmark.  Raises ValueError, KeyError or
    TypeError for anything else."""
    told = json.loads(text)
    context = told["context"]
    return Times(
        f"{context['num_cpus']} processors of {context['mhz_per_cpu']} MHz",
        {
            one["name"]: one["cpu_time"] * _UNITS[one["time_unit"]]
            for one in told["benchmarks"]
            if one["run_type"] == "iteration"
            and not one.get("error_occurred", False)
        },
    )
