"""Builds mutants and measures them, several files at a time.

A file that is finished is kept: it is not broken again while nothing has
changed that its proofs depend on, so that an interrupted run goes on where
it was.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from plumblib import (
    cache,
    collect_count,
    collect_probe,
    entries,
    files,
    instrument,
    measure,
    process,
    progress,
    project,
    prove,
    toolchain,
)
from plumblib.collect_count import Counted
from plumblib.errors import UsageError
from plumblib.prove import ALLOC, NOP, SIZES, FileProof, Mutant, Proof
from plumblib.records import Figure

KEPT = project.WORK / "prove"
_INSTRUCTIONS = ("--dump-instr=yes",)


@dataclass(frozen=True)
class Plain:
    """The unbroken side."""

    plan: instrument.Plan
    counted: dict[str, Counted]
    heap_calls: dict[str, Figure | None]
    functions: dict[int, entries.Place]
    key: str  # of all that proofs depend on besides the file

    def figures(
        self, kind: str, cases: Iterable[str]
    ) -> dict[str, Figure | None]:
        if kind == ALLOC:
            return {case: self.heap_calls[case] for case in cases}
        return {case: self.counted[case].figure for case in cases}


@dataclass(frozen=True)
class Bench:
    """Builds sides and measures them.  With `every_case`, a mutant of one
    instruction is measured in all cases, not in a sample of those that it
    must not move."""

    here: project.Project
    how: project.Prove
    tools: project.Instruments
    chosen: measure.Options
    every_case: bool = False
    _slots: list[int] = field(default_factory=list)
    _free: threading.Lock = field(default_factory=threading.Lock)

    def plain(self) -> Plain:
        plan = measure.planned(self.here, self.tools, self.chosen, brief=True)
        with progress.stage("counting", len(plan.cases)) as done:
            counted = self._count(plan, done, _INSTRUCTIONS)
        with progress.stage("probing", len(plan.cases)) as done:
            heap = self._heap(plan, done)
        return Plain(
            plan,
            counted,
            {case: figure for case, (figure, _) in heap.items()},
            entries.functions(plan.subject),
            self._key(plan, counted),
        )

    def prove(self, plain: Plain, sources: list[str]) -> list[FileProof]:
        """Break each file, as many at once as cases are measured at once
        otherwise; what was finished before is recalled."""
        workers = self.chosen.jobs if self.how.side_by_side else 1
        self._slots[:] = range(workers)
        pool = ThreadPoolExecutor(workers)
        try:
            with progress.stage(f"breaking {len(sources)} files") as done:
                made = pool.map(
                    lambda turn: self._file(plain, sources[turn], turn, done),
                    range(len(sources)),
                )
                return list(made)
        finally:
            pool.shutdown(cancel_futures=True)

    def _file(
        self,
        plain: Plain,
        source: str,
        turn: int,
        done: Callable[[str], None],
    ) -> FileProof:
        path = self.here.root / KEPT / f"{self._kept_as(plain, source)}.json"
        found = _kept(path, source)
        if found is None:
            with self._free:
                slot = self._slots.pop()
            try:
                found = _Slot(self, plain, slot).prove(source, turn)
            finally:
                with self._free:
                    self._slots.append(slot)
            _keep(path, found)
        progress.note(_told(found))
        done(source)
        return found

    def _key(self, plan: instrument.Plan, counted: dict[str, Counted]) -> str:
        libraries = {
            name
            for one in counted.values()
            for name in one.objects
            if name.startswith("/")
        }
        return cache.head_key(
            (
                hashlib.sha256(plan.subject.read_bytes()).hexdigest(),
                f"{self.how.build} {self.every_case} {plan.cases}",
                *sorted(toolchain.build_id(Path(name)) for name in libraries),
                *cache.data_files(self.here),
            ),
            self.tools,
            self.chosen,
        )

    def _kept_as(self, plain: Plain, source: str) -> str:
        text = (self.here.root / source).read_bytes()
        digest = hashlib.sha256(f"{plain.key}\0{source}\0".encode() + text)
        return digest.hexdigest()[:32]

    def _count(
        self,
        plan: instrument.Plan,
        done: Callable[[str], None] = lambda case: None,
        more: tuple[str, ...] = ("--dump-instr=no",),
    ) -> dict[str, Counted]:
        valgrind, _ = toolchain.find_valgrind()
        scratch = self.here.root / measure.SCRATCH
        return collect_count.count(
            valgrind, self.tools.folder, plan, scratch, done, more
        )

    def _heap(
        self,
        plan: instrument.Plan,
        done: Callable[[str], None] = lambda case: None,
    ) -> dict[str, tuple[Figure | None, str | None]]:
        probed = collect_probe.collect(self.tools.folder, plan, done)
        return {
            case: (one.figures.get("heap_calls"), one.failure)
            for case, one in probed.items()
        }


@dataclass(frozen=True)
class _Slot:
    """A place where one mutant after the other is built and measured."""

    bench: Bench
    plain: Plain
    slot: int

    @property
    def subject(self) -> Path:
        name = self.bench.how.subject.replace("{slot}", str(self.slot))
        return self.bench.here.root / name

    def prove(self, source: str, turn: int) -> FileProof:
        mutants = [Mutant(source, NOP, size) for size in SIZES]
        self._build(mutants[0])
        touched = entries.patchable(self.subject)
        names = tuple(sorted(name for name, _ in touched))
        if not touched:
            remark = "none of its functions is in the subject"
            return FileProof(source, (), (), remark)
        proofs = []
        for mutant in (*mutants, Mutant(source, ALLOC, 1)):
            predicted = prove.predict(
                mutant,
                self.plain.counted,
                self.plain.plan.subject,
                self.plain.functions,
                touched,
            )
            cases = self._cases(mutant, predicted, turn)
            if cases:
                proofs.append(self._proof(mutant, cases, predicted))
        reached = any(one.predicted for one in proofs)
        remark = "" if reached else "entered by no case"
        return FileProof(source, names, tuple(proofs), remark)

    def _cases(
        self, mutant: Mutant, predicted: dict[str, Fraction], turn: int
    ) -> list[str]:
        """That the others do not move is shown with the first size."""
        every = self.plain.plan.cases
        if mutant.size > 1:
            return sorted(predicted)
        if self.bench.every_case:
            return list(every)
        return sorted(predicted) + prove.bystanders(every, predicted, turn)

    def _proof(
        self, mutant: Mutant, cases: list[str], predicted: dict[str, Fraction]
    ) -> Proof:
        if mutant != Mutant(mutant.file, NOP, SIZES[0]):
            self._build(mutant)  # that one is there
        plan = replace(
            self.plain.plan, cases=tuple(cases), subject=self.subject
        )
        if self.bench.how.side_by_side:
            plan = replace(plan, jobs=1)
        if mutant.kind == ALLOC:
            broken = self.bench._heap(plan)
        else:
            broken = {
                case: (one.figure, one.failure)
                for case, one in self.bench._count(plan).items()
            }
        return prove.compare(
            mutant, predicted, self.plain.figures(mutant.kind, cases), broken
        )

    def _build(self, mutant: Mutant) -> None:
        bench = self.bench
        argv = bench.how.build.argv(
            bench.how.flavour,
            bench.chosen.jobs,
            file=mutant.file,
            flags=mutant.flags,
            slot=str(self.slot),
        )
        process.run(
            argv,
            cwd=bench.here.root,
            env=process.environment("MAKE"),
            ends_with_us=True,
        )


def _told(found: FileProof) -> str:
    """One line for a file that is finished."""
    if found.remark:
        return f"{found.file}: {found.remark}"
    brief = found.brief()
    return (
        f"{brief.file}: {brief.exact} of {brief.mutants} mutants as"
        f" predicted, entered by {brief.cases} cases"
    )


def _keep(path: Path, found: FileProof) -> None:
    if not all(one.exact for one in found.proofs):
        return  # what has to be mended is looked at again
    files.write_json(
        path,
        {
            "functions": list(found.functions),
            "remark": found.remark,
            "proofs": [prove.to_json(one) for one in found.proofs],
        },
    )


def _kept(path: Path, source: str) -> FileProof | None:
    if not path.is_file():
        return None
    try:
        value: Any = files.load_json(path)
        return FileProof(
            source,
            tuple(value["functions"]),
            tuple(prove.from_json(one) for one in value["proofs"]),
            value["remark"],
        )
    except (UsageError, KeyError, TypeError, ValueError):
        path.unlink()
        return None
