"""A forked child may start processes of its own although its parent already has a fork server."""

from __future__ import annotations

import multiprocessing

from killing import run_in_child


def start_one() -> None:
    process = multiprocessing.get_context("forkserver").Process(target=int)
    process.start()
    process.join()
    assert process.exitcode == 0


def test_the_parents_fork_server_is_not_the_childs() -> None:
    start_one()
    assert run_in_child(start_one) == 0
