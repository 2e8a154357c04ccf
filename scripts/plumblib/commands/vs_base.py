"""plumb vs-base: what the working tree costs against a commit."""

from __future__ import annotations

from argparse import Namespace, _SubParsersAction

from plumblib import base_choice, lock, options, outputs, project, versus
from plumblib.measure import Options


def add_parser(sub: _SubParsersAction) -> None:
    parser = sub.add_parser(
        "vs-base",
        description="Build and measure the working tree and the merge base"
        " of REF and HEAD, here, with the same instruments. Where HEAD is"
        " that merge base and nothing is uncommitted, its parent is the"
        " base. With REF=HEAD the same state is built and measured twice:"
        " every difference must be 0.",
    )
    parser.add_argument(
        "ref",
        metavar="REF",
        nargs="?",
        help="default: PLUMB_BASE, else the main branch of the remote",
    )
    options.add_filter(parser)
    options.add_measuring(parser)
    options.add_fresh(parser)
    outputs.add_outputs(parser)
    parser.set_defaults(run=run)


def run(args: Namespace) -> int:
    """Ends with the worst verdict; 3 when there is no base."""
    here = project.load(args.root)
    tools = project.instruments()
    with lock.held(here.root, args.wait):
        report = versus.compare(
            here,
            tools,
            Options.of(args),
            base_choice.asked_for(args.ref),
            args.strict,
            args.fresh,
        )
    return outputs.publish(report, args)
