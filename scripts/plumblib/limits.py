"""Which limits hold for a metric of a case: the narrowest rule wins."""

from __future__ import annotations

from dataclasses import dataclass

from plumblib.records import METRICS, LimitRule, Limits

MILLION = 1_000_000

EXACT = Limits(warn_ppm=0, fail_ppm=0)
_EXACT_METRICS = frozenset(m.name for m in METRICS if m.exact)


@dataclass(frozen=True)
class LimitTable:
    """The rules of a project, over the defaults."""

    rules: tuple[LimitRule, ...] = ()

    def of(self, suite: str, case_id: str, metric: str) -> Limits:
        """The limits of one metric of one case.

        A case comes before a suite, a suite before the project, and then a
        rule for this metric before one for all.  A rule for all metrics
        leaves the exact ones alone.
        """
        by_place = {(rule.scope, rule.metric): rule for rule in self.rules}
        exact = metric in _EXACT_METRICS
        metrics = (metric,) if exact else (metric, "")
        for scope in (case_id, suite, ""):
            for name in metrics:
                rule = by_place.get((scope, name))
                if rule is not None:
                    return rule.limits
        return EXACT if exact else Limits()
