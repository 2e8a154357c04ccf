"""Compares the working tree with a commit: both sides built and measured
here, with the same instruments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from plumblib import (
    baseline,
    base_choice,
    cache,
    claims,
    git,
    judge,
    measure,
    numerals,
    progress,
    rows,
    standards,
    toolchains,
    worktree,
)
from plumblib.base_choice import Base
from plumblib.errors import Exit, NoBase, PlumbError, UsageError
from plumblib.git import Repository
from plumblib.limits import LimitTable
from plumblib.measure import BuildFailed, Options
from plumblib.project import OURS, Instruments, Project
from plumblib.records import LimitRule, Limits, Measurement, Report

# Between two measurements of one state nothing may differ.
_NOTHING = LimitTable((LimitRule("", "", Limits(0, 0)),))


@dataclass(frozen=True)
class Setting:
    """What stays the same for both sides."""

    project: Project  # as it is in the working tree
    tools: Instruments
    options: Options
    repository: Repository


def compare(
    project: Project,
    tools: Instruments,
    options: Options,
    ref: str | None,
    strict: bool,
) -> Report:
    """Measure head and its base, and judge.  The caller holds the lock.

    Raises NoBase, with what to do, when there is nothing to compare with.
    """
    repository = git.find(project.root)
    setting = Setting(project, tools, options, repository)
    ours = _made_by_us(project, options.flavour)
    dirty = bool(git.changed_files(repository, ours))
    base = base_choice.choose(repository, ref, dirty)
    base_project = standards.project_at(repository, base.commit, project)
    head = measure.measure(project, tools, options)
    if not head.cases and options.pattern:
        raise UsageError(
            f"no case matches; `plumb list` names all {len(head.declared)}"
        )
    if base.again:
        before = _measure_base(base, base_project, setting)
        return _again(base, before, head, setting)
    before = _cached_base(base, base_project, head, setting)
    return _judge(base, base_project, before, head, setting, strict)


def _made_by_us(project: Project, flavour: str) -> list[str]:
    """What a run leaves in a project, which may not ignore it: no reason
    to call its working tree changed."""
    subject = project.subject_path(flavour).relative_to(project.root)
    return [str(path) for path in (subject, *OURS)]


def _again(
    base: Base, before: Measurement, head: Measurement, setting: Setting
) -> Report:
    """The A/A report; what it found is what later reports call their
    floor."""
    found = judge.judge(before.cases, head, judge.Terms(_NOTHING))
    report = Report(
        kind="a/a",
        title=base.title,
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
    base: Base,
    base_project: Project,
    before: Measurement,
    head: Measurement,
    setting: Setting,
    strict: bool,
) -> Report:
    project, repository = setting.project, setting.repository
    changed = standards.gate_change(
        repository, base.commit, project, base_project
    )
    binding = changed.binding and not base.merged
    changed = replace(changed, binding=binding)
    limits = (base_project if binding else project).limits
    accepted = frozenset()
    if not binding:
        accepted = standards.agreed(
            before, head, *_budgets(base, base_project, head, setting)
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
        floor=cache.floor(project, head.toolchain, setting.tools)
        or "not measured here yet, `make bench-vs-base BASE=HEAD` does",
        strict=strict,
        exit_code=Exit.FAILED if binding else code,
    )


def _notices(
    changed: standards.GateChange, before: Measurement, head: Measurement
) -> tuple[str, ...]:
    told = [changed.notice()]
    loosened = claims.loosened(before, head)
    if loosened:
        told.append(
            f"gate-changed: claims are no longer made: {'; '.join(loosened)}"
        )
    unlike = toolchains.differences(before.toolchain, head.toolchain)
    if unlike:
        told.append(
            "base and head are built differently: "
            + "; ".join(unlike).replace("in the baseline", "in the base")
        )
    return tuple(line for line in told if line)


def _budgets(
    base: Base, base_project: Project, head: Measurement, setting: Setting
) -> tuple[dict[str, baseline.Baseline], dict[str, baseline.Baseline]]:
    """The committed budgets of both sides."""
    platform = head.toolchain.platform
    after = standards.here(setting.project, platform).budgets
    try:
        before = standards.at(
            setting.repository, base.commit, base_project, platform
        ).budgets
    except UsageError:
        before = {}  # of an older schema: then nothing was agreed to
    return dict(before), dict(after)


def _cached_base(
    base: Base, base_project: Project, head: Measurement, setting: Setting
) -> Measurement:
    repository = setting.repository
    tree = repository.says("rev-parse", f"{base.commit}^{{tree}}")
    key = cache.base_key(
        tree, head, setting.tools, setting.options, setting.project
    )
    found = cache.load(setting.project, key)
    if found is None:
        found = _measure_base(base, base_project, setting)
        cache.save(setting.project, key, found)
    else:
        progress.note(f"base {base.commit[:7]}: its figures were kept")
    return replace(found, revision=repository.revision(base.commit))


def _measure_base(
    base: Base, base_project: Project, setting: Setting
) -> Measurement:
    """Build the base as it says itself, and measure it with our
    instruments and data files."""
    head = setting.project
    short = base.commit[:7]
    progress.note(f"base {short}: checked out into {worktree.FOLDER}")
    with worktree.checked_out(
        setting.repository, base.commit, head.root / worktree.FOLDER
    ) as root:
        try:
            found = measure.measure(
                replace(base_project, root=root, timeout=head.timeout),
                setting.tools,
                setting.options,
                files_from=head.root,
            )
        except BuildFailed as error:
            raise NoBase(
                f"the base {short} does not build, so there is nothing to"
                f" compare with.\n{error}\nMake it build here, or name a"
                " commit that does with BASE=..."
            ) from error
        except PlumbError as error:
            raise NoBase(
                f"the base {short} cannot be measured by this plumb:"
                f" {error}\nCompare with a later commit (BASE=...)."
            ) from error
    if not found.declared:
        raise NoBase(
            f"the base {short} declares no cases: it is from before the"
            " suite existed. Compare with a later commit (BASE=...)."
        )
    return replace(
        found, revision=setting.repository.revision(base.commit)
    )
