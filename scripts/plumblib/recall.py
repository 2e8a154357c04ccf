"""Measures a project, or recalls what it measured of the same bytes.

A measurement depends on the subject's bytes, the libraries it loads, the
instruments, the toolchain, the processor and the files that cases read.
Where all of these are as they were, counting again gives the same integers,
so the kept ones stand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from plumblib import cache, measure, progress, revision, schema, toolchain
from plumblib.errors import UsageError
from plumblib.instrument import Catalogue
from plumblib.measure import Options
from plumblib.project import Instruments, Project
from plumblib.records import Measurement


def measurement(
    project: Project, tools: Instruments, options: Options, fresh: bool
) -> Measurement:
    """Build, and measure where something is new.  The caller holds the
    lock.  `fresh`: measure in any case.

    Raises UsageError for a limit that would hold for nothing.
    """
    toolchain.find_valgrind()  # told before minutes of building
    schema.remember_in(project.root / cache.FOLDER)
    said = measure.declared(project, tools, options)
    _check_limits(project, said)
    subject = project.subject_path(options.flavour)
    around = _surroundings(project, options, said.libraries)
    key = cache.head_key(around, tools, options)
    found = None
    if not fresh:
        found = cache.load(project, key)
        if found is None and options.pattern is not None:
            found = _part_of_all(project, around, tools, options)
    if found is None:
        found = measure.measure(project, tools, options)
        cache.save(project, key, found)
        return found
    progress.note(
        f"nothing that is measured has changed since {found.made_at}: its"
        f" figures were kept ({len(found.cases)} cases)"
    )
    return replace(found, revision=revision.read(project.root, subject))


def _part_of_all(
    project: Project,
    around: list[str],
    tools: Instruments,
    options: Options,
) -> Measurement | None:
    """The cases that are wanted, of a measurement of all."""
    key = cache.head_key(around, tools, replace(options, pattern=None))
    found = cache.load(project, key)
    if found is None:
        return None
    wanted = {
        case_id: case
        for case_id, case in found.cases.items()
        if options.wants(case.info)
    }
    return replace(found, cases=wanted)


def _check_limits(project: Project, said: Catalogue) -> None:
    known = {"", *said.suites, *(case.id for case in said.cases)}
    for rule in project.limits:
        if rule.scope not in known:
            raise UsageError(
                f"{project.file}: limits.scope: {rule.scope!r} is neither a"
                " suite nor a case"
            )


def _surroundings(
    project: Project, options: Options, libraries: Iterable[str]
) -> list[str]:
    """All that a measurement depends on besides instruments and options."""
    _, valgrind = toolchain.find_valgrind()
    subject = project.subject_path(options.flavour)
    made = toolchain.detect(project, options.flavour, valgrind, {})
    return [
        f"project {project.name} {project.timeout}",
        hashlib.sha256(subject.read_bytes()).hexdigest(),
        f"toolchain {made}",
        *(_seen(Path(name)) for name in libraries),
        *cache.data_files(project),
    ]


def _seen(path: Path) -> str:
    about = path.stat()
    return f"{path.resolve()} {about.st_size} {about.st_mtime_ns}"
