"""plumb prove: break the subject on purpose, and see the gate find it."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction
from dataclasses import dataclass, replace
from fractions import Fraction

from plumblib import (
    collect_count,
    collect_probe,
    entries,
    files,
    instrument,
    lock,
    measure,
    numerals,
    options,
    process,
    progress,
    project,
    prove,
    schema,
    toolchain,
)
from plumblib.collect_count import Counted
from plumblib.errors import Exit, UsageError
from plumblib.prove import ALLOC, NOP, SIZES, Mutant, Proof
from plumblib.records import Figure

SCHEMA = "plumb-prove/1"
INSTRUCTIONS = ("--dump-instr=yes",)


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser(
        "prove",
        description="Compile one source file at a time with instructions"
        " or an allocation at each function entry, and compare what every"
        " case costs then with the prediction.  Ends with 1 when a"
        " prediction fails.",
    )
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_json(parser)
    options.add_output(parser, "the proofs")
    parser.add_argument(
        "--files",
        nargs="+",
        metavar="GLOB",
        help="source files to break (default: all that plumb.toml names)",
    )
    parser.set_defaults(run=run)


@dataclass(frozen=True)
class Plain:
    """The unbroken side."""

    plan: instrument.Plan
    counted: dict[str, Counted]
    heap_calls: dict[str, Figure | None]
    functions: dict[int, entries.Place]

    def figures(
        self, kind: str, cases: tuple[str, ...]
    ) -> dict[str, Figure | None]:
        if kind == ALLOC:
            return {case: self.heap_calls[case] for case in cases}
        return {case: self.counted[case].figure for case in cases}


def run(args: Namespace) -> int:
    here = project.load(args.root)
    if here.prove is None:
        raise UsageError(
            f"{here.file}: has no [prove] table, which says how to build a"
            " subject with one file broken; see scripts/README.md"
        )
    chosen = replace(measure.Options.of(args), flavour=here.prove.flavour)
    sources = _sources(here, tuple(args.files or here.prove.files))
    with lock.held(here.root, args.wait):
        bench = Bench(here, here.prove, project.instruments(), chosen)
        plain = bench.plain()
        proofs, untouched = bench.proofs(plain, sources)
    value = _record(proofs, untouched, plain)
    schema.check(value, SCHEMA, "what plumb prove found")
    if args.output is not None:
        files.write_json(args.output, value)
    if args.json:
        print(files.json_text(value), end="")
    else:
        print(text(proofs, untouched, plain), end="")
    good = all(proof.exact for proof in proofs) and proofs
    return Exit.OK if good else Exit.FAILED


def _sources(here: project.Project, globs: tuple[str, ...]) -> list[str]:
    found = {
        str(path.relative_to(here.root))
        for glob in globs
        for path in here.root.glob(glob)
        if path.is_file()
    }
    if not found:
        raise UsageError(f"no file matches {' '.join(globs)}")
    return sorted(found)


@dataclass(frozen=True)
class Bench:
    """Builds sides and measures them."""

    here: project.Project
    how: project.Prove
    tools: project.Instruments
    chosen: measure.Options

    def plain(self) -> Plain:
        said = measure.declared(self.here, self.tools, self.chosen)
        cases = tuple(
            case.id for case in said.cases if self.chosen.wants(case)
        )
        if not cases:
            raise UsageError("no case matches; `plumb list` names them")
        subject = self.here.subject_path(self.how.flavour)
        plan = instrument.Plan(
            subject,
            self.here.root,
            cases,
            self.chosen.jobs,
            self.here.timeout,
            brief=True,
        )
        counted = self._count("counting", plan, INSTRUCTIONS)
        heap = self._heap("probing", plan)
        return Plain(
            plan,
            counted,
            {case: figure for case, (figure, _) in heap.items()},
            entries.functions(subject),
        )

    def proofs(
        self, plain: Plain, sources: list[str]
    ) -> tuple[list[Proof], list[str]]:
        """A proof of each mutant, and the files that prove little."""
        proofs = []
        untouched = []
        for source in sources:
            mutants = [Mutant(source, NOP, size) for size in SIZES]
            self._build(mutants[0])
            touched = entries.patchable(self.here.root / self.how.subject)
            if not touched:
                untouched.append(f"{source}: no function of it is linked")
                continue
            reached = False
            for mutant in (*mutants, Mutant(source, ALLOC, 1)):
                predicted = prove.predict(
                    mutant,
                    plain.counted,
                    plain.plan.subject,
                    plain.functions,
                    touched,
                )
                reached = reached or bool(predicted)
                if mutant.size == 1:
                    cases = plain.plan.cases
                elif predicted:
                    # That the others do not move, size 1 has shown.
                    cases = tuple(sorted(predicted))
                else:
                    continue
                proofs.append(self._proof(mutant, plain, cases, predicted))
            if not reached:
                untouched.append(f"{source}: entered by no case")
        return proofs, untouched

    def _proof(
        self,
        mutant: Mutant,
        plain: Plain,
        cases: tuple[str, ...],
        predicted: dict[str, Fraction],
    ) -> Proof:
        self._build(mutant)
        plan = replace(
            plain.plan,
            cases=cases,
            subject=self.here.root / self.how.subject,
        )
        if mutant.kind == ALLOC:
            broken = self._heap(mutant.name, plan)
        else:
            broken = {
                case: (one.figure, one.failure)
                for case, one in self._count(mutant.name, plan).items()
            }
        return prove.compare(
            mutant, predicted, plain.figures(mutant.kind, cases), broken
        )

    def _build(self, mutant: Mutant) -> None:
        argv = self.how.build.argv(
            self.how.flavour,
            self.chosen.jobs,
            file=mutant.file,
            flags=mutant.flags,
        )
        process.run(
            argv,
            cwd=self.here.root,
            env=process.environment("MAKE"),
            ends_with_us=True,
        )

    def _count(
        self,
        what: str,
        plan: instrument.Plan,
        more: tuple[str, ...] = ("--dump-instr=no",),
    ) -> dict[str, Counted]:
        valgrind, _ = toolchain.find_valgrind()
        scratch = self.here.root / measure.SCRATCH
        with progress.stage(what, len(plan.cases)) as done:
            return collect_count.count(
                valgrind, self.tools.folder, plan, scratch, done, more
            )

    def _heap(
        self, what: str, plan: instrument.Plan
    ) -> dict[str, tuple[Figure | None, str | None]]:
        with progress.stage(what, len(plan.cases)) as done:
            probed = collect_probe.collect(self.tools.folder, plan, done)
        return {
            case: (one.figures.get("heap_calls"), one.failure)
            for case, one in probed.items()
        }


def text(proofs: list[Proof], untouched: list[str], plain: Plain) -> str:
    """One line a mutant; the worst cases of those that failed."""
    width = max((len(proof.mutant.name) for proof in proofs), default=0)
    lines = [f"{'mutant':{width}}  must move  moved  verdict"]
    for proof in proofs:
        verdict = "exact" if proof.exact else "WRONG"
        lines.append(
            f"{proof.mutant.name:{width}}  {len(proof.predicted):9}"
            f"  {len(proof.found):5}  {verdict}"
        )
        lines += [] if proof.exact else _wrong(proof)
    lines += untouched
    lines += _detection(proofs, plain)
    exact = sum(proof.exact for proof in proofs)
    lines.append(f"{exact} of {len(proofs)} mutants as predicted")
    return "\n".join(lines) + "\n"


def _wrong(proof: Proof) -> list[str]:
    lines = [f"  {case}: {why}" for case, why in proof.failures.items()]
    for case in sorted(proof.predicted.keys() | proof.found.keys()):
        expected = proof.predicted.get(case, Fraction(0))
        found = proof.found.get(case, Fraction(0))
        if expected != found and case not in proof.failures:
            lines.append(
                f"  {case}: predicted {numerals.signed(expected)}, found"
                f" {numerals.signed(found)}"
            )
    return lines


def _detection(proofs: list[Proof], plain: Plain) -> list[str]:
    figures = {
        case: figure
        for case, figure in plain.figures(NOP, plain.plan.cases).items()
        if figure is not None
    }
    limits = "".join(f"{limit / 10_000:>7g} %" for limit in prove.SWEEP)
    lines = ["", f"regression        count  slower at a limit of{limits}"]
    for row in prove.detections(proofs, figures):
        high = f"{row.high_ppm / 10_000:g}" if row.high_ppm else "..."
        size = f"{row.low_ppm / 10_000:g} to {high} %"
        found = "".join(f"{count:>9}" for count in row.slower)
        lines.append(f"{size:16} {row.count:6}{'':22}{found}")
    return [*lines, ""]


def _record(
    proofs: list[Proof], untouched: list[str], plain: Plain
) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "cases": list(plain.plan.cases),
        "untouched": untouched,
        "mutants": [
            {
                "file": proof.mutant.file,
                "kind": proof.mutant.kind,
                "size": proof.mutant.size,
                "exact": proof.exact,
                "predicted": _fractions(proof.predicted),
                "found": _fractions(proof.found),
                "failures": proof.failures,
            }
            for proof in proofs
        ],
    }


def _fractions(values: dict[str, Fraction]) -> dict[str, dict[str, int]]:
    return {
        case: {"total": value.numerator, "ops": value.denominator}
        for case, value in values.items()
    }
