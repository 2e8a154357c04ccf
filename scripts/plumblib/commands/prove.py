"""plumb prove: break the subject on purpose, and see the gate find it."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction
from dataclasses import replace
from fractions import Fraction

from plumblib import (
    certificate,
    codec,
    files,
    lock,
    measure,
    numerals,
    options,
    project,
    prove,
    schema,
    toolchain,
)
from plumblib.errors import Exit, UsageError
from plumblib.project import Project
from plumblib.prove import NOP, FileProof, Proof
from plumblib.prove_run import Bench, Plain
from plumblib.records import Proven

SCHEMA = "plumb-prove/1"


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser(
        "prove",
        description="Compile one source file at a time with instructions"
        " or an allocation at each function entry, and compare what every"
        " case that enters it costs then with the prediction, and a sample"
        " of the others with what they cost before. A file that is finished"
        " is not broken again until something has changed. Ends with 1 when"
        " a prediction fails.",
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
    parser.add_argument(
        "--every-case",
        action="store_true",
        help="measure each mutant of one instruction in all cases, not in a"
        " sample of those that it must not move",
    )
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    here = project.load(args.root)
    if here.prove is None:
        raise UsageError(
            f"{here.file}: has no [prove] table, which says how to build a"
            " subject with one file broken; see scripts/README.md"
        )
    asked = measure.Options.of(args)
    chosen = replace(asked, flavour=here.prove.flavour)
    sources = _sources(here, tuple(args.files or here.prove.files))
    with lock.held(here.root, args.wait):
        measure.build_subject(here, asked)
        tools = project.instruments()
        bench = Bench(here, here.prove, tools, chosen, args.every_case)
        plain = bench.plain()
        found = bench.prove(plain, sources)
        brief = _brief(here, args.flavour, plain, found)
        if args.filter is None and args.files is None:
            codec.save(certificate.path(here.root, Proven), brief)
    value = _record(found, brief, plain)
    schema.check(value, SCHEMA, "what plumb prove found")
    if args.output is not None:
        files.write_json(args.output, value)
    if args.json:
        print(files.json_text(value), end="")
    else:
        print(text(found, brief), end="")
    proofs = [proof for one in found for proof in one.proofs]
    good = all(proof.exact for proof in proofs) and proofs
    return Exit.OK if good else Exit.FAILED


def _sources(here: Project, globs: tuple[str, ...]) -> list[str]:
    found = {
        str(path.relative_to(here.root))
        for glob in globs
        for path in here.root.glob(glob)
        if path.is_file()
    }
    if not found:
        raise UsageError(f"no file matches {' '.join(globs)}")
    return sorted(found)


def _brief(
    here: Project, flavour: str, plain: Plain, found: list[FileProof]
) -> Proven:
    _, version = toolchain.find_valgrind()
    proofs = [proof for one in found for proof in one.proofs]
    figures = {
        case: figure
        for case, figure in plain.figures(NOP, plain.plan.cases).items()
        if figure is not None
    }
    return Proven(
        subject=certificate.subject_digest(here.subject_path(flavour)),
        toolchain=toolchain.detect(here, flavour, version, {}),
        cases=len(plain.plan.cases),
        limits=prove.SWEEP,
        files=tuple(one.brief() for one in found),
        detections=tuple(prove.detections(proofs, figures)),
        uncovered=tuple(
            prove.uncovered(
                plain.counted, plain.plan.subject, here.root, found
            )
        ),
    )


def text(found: list[FileProof], brief: Proven) -> str:
    """One line a mutant; the worst cases of those that failed."""
    proofs = [proof for one in found for proof in one.proofs]
    width = max((len(proof.mutant.name) for proof in proofs), default=0)
    lines = [f"{'mutant':{width}}  must move  moved  verdict"]
    for proof in proofs:
        verdict = "exact" if proof.exact else "WRONG"
        lines.append(
            f"{proof.mutant.name:{width}}  {len(proof.predicted):9}"
            f"  {len(proof.found):5}  {verdict}"
        )
        lines += [] if proof.exact else _wrong(proof)
    lines += ["", *brief.uncovered, *_detection(brief)]
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


def _detection(brief: Proven) -> list[str]:
    limits = "".join(f"{limit / 10_000:>7g} %" for limit in brief.limits)
    lines = ["", f"regression        count  slower at a limit of{limits}"]
    for row in brief.detections:
        found = "".join(f"{count:>9}" for count in row.slower)
        lines.append(f"{prove.band(row):16} {row.count:6}{'':22}{found}")
    return [*lines, ""]


def _record(
    found: list[FileProof], brief: Proven, plain: Plain
) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "cases": list(plain.plan.cases),
        "untouched": list(brief.uncovered),
        "mutants": [
            prove.to_json(proof) for one in found for proof in one.proofs
        ],
    }
