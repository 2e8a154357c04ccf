"""Compares the working tree with a commit: both sides built and measured
here, with the same instruments."""

from __future__ import annotations

from dataclasses import replace

from plumblib import (
    base_side,
    baseline,
    cache,
    claims,
    judge,
    measure,
    numerals,
    progress,
    recall,
    rows,
    standards,
    toolchains,
)
from plumblib.base_side import Setting
from plumblib.errors import Exit, NoBase, UsageError
from plumblib.limits import LimitTable
from plumblib.measure import Options
from plumblib.project import Instruments, Project
from plumblib.records import (
    LimitRule,
    Limits,
    Measurement,
    Report,
    Toolchain,
)

# Between two measurements of one state nothing may differ.
_NOTHING = LimitTable((LimitRule("", "", Limits(0, 0)),))


def compare(
    project: Project,
    tools: Instruments,
    options: Options,
    ref: str | None,
    strict: bool,
    fresh: bool = False,
) -> Report:
    """Measure head and its base, and judge.  The caller holds the lock.
    What was measured before is recalled, unless `fresh`; never where the
    same is measured twice.

    Raises NoBase, with what to do, when there is nothing to compare with.
    """
    setting = base_side.set_up(project, tools, options, ref)
    fresh = fresh or setting.base.again
    head = recall.measurement(project, tools, options, fresh)
    if not head.cases and options.pattern:
        raise UsageError(
            f"no case matches; `plumb list` names all {len(head.declared)}"
        )
    if setting.base.again:
        before = _measure_base(setting, head.toolchain)
        return _again(before, head, setting)
    before = _cached_base(head, setting, fresh)
    report = _judge(before, head, setting, strict)
    if report.exit_code is Exit.OK:
        return report
    # what a green run has no need to wait for
    from plumblib import explain_run, explain_short

    built = explain_run.built(
        project, options, head.toolchain, head.declared
    )
    return explain_short.with_base(report, setting, built)


def _again(
    before: Measurement, head: Measurement, setting: Setting
) -> Report:
    """The A/A report; what it found is what later reports call their
    floor."""
    found = judge.judge(before.cases, head, judge.Terms(_NOTHING))
    report = Report(
        kind="a/a",
        title=setting.base.title,
        base=before.revision,
        head=head.revision,
        toolchain=head.toolchain,
        cases=found,
        exit_code=judge.exit_code(found, "a/a", strict=True),
    )
    differing = len(rows.changed(report))
    told = f"{numerals.plain(len(head.cases))} cases, every metric"
    if differing:
        told += f": {differing:,} differ"
    else:
        told = f"0 in {told}"
    told += f" (A/A run of {head.made_at[:10]})"
    cache.save_floor(setting.project, head.toolchain, setting.tools, told)
    return replace(report, floor=told)


def _judge(
    before: Measurement,
    head: Measurement,
    setting: Setting,
    strict: bool,
) -> Report:
    project, base = setting.project, setting.base
    changed = standards.gate_change(
        setting.repository, base.commit, project, setting.base_project
    )
    binding = changed.binding and not base.merged
    loose = claims.loosened(before, head)
    if loose and not base.merged and standards.is_binding():
        binding = True
        head = claims.as_before(head, loose)
    changed = replace(changed, binding=binding, claims=loose)
    limits = (setting.base_project if binding else project).limits
    accepted = frozenset()
    if not binding:
        accepted = standards.agreed(
            before, head, *_budgets(head, setting)
        )
    terms = judge.Terms(LimitTable(limits), accepted=accepted)
    found = judge.judge(before.cases, head, terms)
    code = judge.exit_code(found, "vs-base", strict)
    return Report(
        kind="vs-base",
        title=base.title,
        base=before.revision,
        head=head.revision,
        toolchain=head.toolchain,
        cases=found,
        notices=_notices(changed, before, head),
        unchecked=claims.unasked(head),
        floor=cache.floor(project, head.toolchain, setting.tools)
        or "not measured here yet, `make bench-vs-base BASE=HEAD` does",
        strict=strict,
        exit_code=Exit.FAILED if binding else code,
    )


def _notices(
    changed: standards.GateChange, before: Measurement, head: Measurement
) -> tuple[str, ...]:
    told = [changed.notice()]
    unlike = toolchains.differences(before.toolchain, head.toolchain)
    if unlike:
        told.append(
            "base and head are built differently: "
            + "; ".join(unlike).replace("in the baseline", "in the base")
        )
    return tuple(line for line in told if line)


def _budgets(
    head: Measurement, setting: Setting
) -> tuple[dict[str, baseline.Baseline], dict[str, baseline.Baseline]]:
    """The committed budgets of both sides."""
    platform = head.toolchain.platform
    after = standards.here(setting.project, platform).budgets
    try:
        before = standards.at(
            setting.repository,
            setting.base.commit,
            setting.base_project,
            platform,
        ).budgets
    except UsageError:
        before = {}  # of an older schema: then nothing was agreed to
    return dict(before), dict(after)


def _cached_base(
    head: Measurement, setting: Setting, fresh: bool
) -> Measurement:
    commit = setting.base.commit
    key = cache.base_key(
        base_side.digest(setting),
        head,
        setting.tools,
        setting.options,
        setting.project,
    )
    found = None if fresh else cache.load(setting.project, key)
    if found is None:
        found = _measure_base(setting, head.toolchain)
        cache.save(setting.project, key, found)
    else:
        progress.note(f"base {commit[:7]}: its figures were kept")
    return replace(found, revision=setting.repository.revision(commit))


def _measure_base(setting: Setting, made: Toolchain) -> Measurement:
    """Build the base as it says itself, and measure it with our
    instruments.  Its subject is kept."""
    with base_side.tree(setting) as base:
        found = measure.measure(base, setting.tools, setting.options)
        base_side.keep_subject(setting, base, made, found.toolchain)
    if not found.declared:
        raise NoBase(
            f"the base {setting.base.commit[:7]} declares no cases: it is"
            " from before the suite existed. Compare with a later commit"
            " (BASE=...)."
        )
    return replace(
        found, revision=setting.repository.revision(setting.base.commit)
    )
