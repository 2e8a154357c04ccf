"""plumb gate: what the working tree costs against committed budgets."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction
from dataclasses import replace

from plumblib import (
    base_choice,
    cache,
    gating,
    git,
    lock,
    options,
    outputs,
    project,
    schema,
    source,
    standards,
    toolchain,
)
from plumblib.errors import Exit, NoBase, Shallow, UsageError
from plumblib.measure import Options
from plumblib.project import Project
from plumblib.records import Measurement, Report
from plumblib.standards import GateChange, Standards


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser(
        "gate",
        description="Measure the working tree and compare it with the"
        " budgets in its baselines folder. In CI (CI=true) a change that"
        " touches its own judge is held to the limits and budgets of the"
        " merge base, and fails until a maintainer agrees.",
    )
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_fresh(parser)
    source.add_source(parser)
    outputs.add_outputs(parser)
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with the worst verdict; 3 when the budgets were made with
    another toolchain."""
    here = project.load(args.root)
    with lock.held(here.root, args.wait):
        schema.remember_in(here.root / cache.FOLDER)
        # a bad file is told before minutes of measuring, not after
        platform = toolchain.platform_key(args.flavour)
        held_to, changed, notices = _standards(here, platform)
        measured = source.measurement(here, args, args.fresh)
        if measured.toolchain.platform != platform:
            platform = measured.toolchain.platform
            held_to, changed, notices = _standards(here, platform)
        title = f"{here.name} against its committed budgets for {platform}"
        report = gating.compare(
            measured, held_to, title, args.strict, args.filter
        )
        if args.measurement is None:
            report = _explained(here, args, measured, report)
    if not report.cases:
        raise UsageError(
            f"no case matches; `plumb list` names all"
            f" {len(measured.declared)}"
        )
    code = Exit.FAILED if changed.binding else report.exit_code
    return outputs.publish(
        replace(report, notices=notices, exit_code=code), args
    )


def _explained(
    here: Project, args: Namespace, measured: Measurement, report: Report
) -> Report:
    """With a few lines under its red rows."""
    if report.exit_code is Exit.OK:
        return report
    # what a green run has no need to wait for
    from plumblib import explain_run, explain_short

    chosen = Options.of(args)
    head = explain_run.built(
        here, chosen, measured.toolchain, measured.declared
    )
    return explain_short.alone(
        report,
        explain_run.alone(here, project.instruments(), chosen, head),
    )


def _standards(
    here: Project, platform: str
) -> tuple[Standards, GateChange, tuple[str, ...]]:
    """What the head is held to.  Outside CI, and where there is no base,
    that is what stands in the working tree.  Raises Shallow: in such a
    clone a change of the judge would pass unseen."""
    unchanged = GateChange((), "", False)
    own = standards.here(here, platform)
    if not standards.in_ci():
        return own, unchanged, ()
    try:
        repository = git.find(here.root)
        base = base_choice.choose(
            repository, base_choice.asked_for(None), dirty=True
        )
        before = standards.project_at(repository, base.commit, here)
    except Shallow:
        raise
    except NoBase as error:
        return own, unchanged, (f"its judge was not checked: {error}",)
    if base.commit == repository.commit("HEAD"):
        return own, unchanged, ()  # merged, so agreed to
    changed = standards.gate_change(repository, base.commit, here, before)
    notices = (changed.notice(),) if changed.files else ()
    if not changed.binding:
        return own, changed, notices
    old = standards.at(repository, base.commit, before, platform)
    return old, changed, notices
