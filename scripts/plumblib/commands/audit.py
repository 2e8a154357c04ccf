"""plumb audit: count every case again under perturbations."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction

from plumblib import (
    audit,
    certificate,
    codec,
    files,
    lock,
    measure,
    options,
    progress,
    project,
    toolchain,
)
from plumblib.errors import Exit
from plumblib.perturb import PERTURBATIONS, Perturbation
from plumblib.records import Certificate, Finding

PLAIN = Perturbation("plain", "none", "nothing perturbed")


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser(
        "audit",
        description="Count every case again under perturbations."
        " Ends with 1 when a circumstance moves a count, or the layout"
        " moves our own code.",
    )
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_json(parser)
    options.add_output(parser, "the certificate")
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    here = project.load(args.root)
    tools = project.instruments()
    with lock.held(here.root, args.wait):
        made = _audit(here, tools, measure.Options.of(args))
        whole = args.filter is None
        if whole:
            codec.save(certificate.path(here.root, Certificate), made)
    if args.output is not None:
        codec.save(args.output, made)
    if args.json:
        print(files.json_text(codec.to_file(made)), end="")
    else:
        print(text(made), end="")
    return Exit.FAILED if made.faults else Exit.OK


def _audit(
    here: project.Project,
    tools: project.Instruments,
    chosen: measure.Options,
) -> Certificate:
    valgrind, version = toolchain.find_valgrind()
    plan = measure.planned(here, tools, chosen)
    subject, cases = plan.subject, plan.cases
    scratch = here.root / measure.SCRATCH
    bench = audit.Bench(valgrind, tools.folder, scratch, subject)
    with progress.stage("counting", len(cases)) as done:
        plain = bench.count(plan, PLAIN, done)
    findings = audit.unsteady(plain, subject)
    _tell(findings)
    for how in PERTURBATIONS:
        with progress.stage(f"counting: {how.about};", len(cases)) as done:
            other = bench.count(plan, how, done)
        found = audit.examine(plain, other, how, subject)
        _tell(found)
        findings += found
    return Certificate(
        subject=certificate.subject_digest(subject),
        toolchain=toolchain.detect(here, chosen.flavour, version, {}),
        cases=cases,
        perturbations=tuple(how.name for how in PERTURBATIONS),
        findings=tuple(findings),
        bands=audit.bands(findings),
    )


def _tell(findings: list[Finding]) -> None:
    """Faults, as they are found: the whole takes minutes."""
    for found in findings:
        if found.fault:
            progress.note(_line("FAULT", found))


def text(made: Certificate) -> str:
    """Faults first, then what the layout moved in libraries."""
    lines = [_line("FAULT", found) for found in made.faults]
    lines += [
        _line("layout", found) for found in made.findings if not found.fault
    ]
    faulty = {found.case for found in made.faults}
    exact = len(made.cases) - len(faulty | made.bands.keys())
    lines.append(
        f"{len(made.cases)} cases under {len(made.perturbations)}"
        f" perturbations: {exact} exact, {len(made.bands)} certified"
        f" `layout ±n` (libraries only), {len(faulty)} at fault"
    )
    return "\n".join(lines) + "\n"


def _line(word: str, found: Finding) -> str:
    change = found.change.per_op
    size = f"{float(change):+,.2f}".removesuffix(".00")
    return f"{word}  {found.case}  {found.perturbation}  {size}  {found.why}"
