"""Reports as a person reads them."""

from __future__ import annotations

from rich.console import Console

from dalil.cli.common import bold, table
from dalil.status import Status
from dalil.wording import counted


def print_status(out: Console, report: Status) -> None:
    """The report of `dalil status`."""
    # a folder that is called as its corpus says nothing more
    out.print(bold(report.name), *([] if report.path in (report.name, ".") else [f" {report.path}"]))
    out.print()
    rows = table("The way of the data", "what", "rows")
    for word, count in report.rows.items():
        rows.add_row(word, f"{count:,}")
    out.print(rows)
    if report.dropped:
        drops = table("Dropped, and why", "stage: reason", "rows")
        for stage, reasons in report.dropped.items():
            for reason, count in reasons.items():
                drops.add_row(f"{stage}: {reason}", f"{count:,}")
        out.print()
        out.print(drops)
    if report.kept:
        kept = table("Judged, and kept as it was shown", "what", "changed since", "gone since")
        for kind, whys in report.kept.items():
            kept.add_row(kind.replace("_", " "), *(f"{whys.get(why, 0):,}" for why in ("changed", "gone")))
        out.print()
        out.print(kept)
    if report.requests:
        states = ("answered", "failed", "sent", "lost")
        requests = table("Requests", "service", "answered", "failed", "in flight", "lost")
        for service, found in report.requests.items():
            requests.add_row(service, *(f"{found.get(state, 0):,}" for state in states))
        out.print()
        out.print(requests)
        out.print(f"cost so far: ${report.cost:.2f}")
    if report.in_flight_at_kill:
        out.print(
            f"{counted(report.in_flight_at_kill, 'request')} in flight when a run was killed; "
            f"{report.repeated} of them sent again"
        )
    failed = {stage: found["failed"] for stage, found in report.ledger.items() if found.get("failed")}
    for stage, count in failed.items():
        out.print(f"{stage}: {count} failed for now and will be tried again by the next run")
    for domain, why in report.stopped_domains.items():
        out.print(f"{domain} refused again and again and is left alone {why}")
    if report.runs:
        last = table("Last runs", "stage", "started (UTC)", "ended", "outcome")
        for run in report.runs[:5]:
            last.add_row(
                run["stages"], run["started"], run["ended"] or "–", run["outcome"] or "killed or running"
            )
        out.print()
        out.print(last)
