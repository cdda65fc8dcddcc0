"""The output of the suite: problems as they are found, and tables in Markdown."""

from collections.abc import Iterable

import fixtures
from convergence import Result


def print_result(result: Result, is_complete: bool) -> None:
    """Prints the operations of a failed seed, and one line for the others."""
    if result.problems or is_complete:
        print(f"--- {result.server}, seed {result.seed}")
        print("\n".join(result.log))
        print("\n".join(f"*** {problem}" for problem in result.problems))
        print(f"To repeat it:  Tests/Sync/run convergence --server {result.server} --seed {result.seed}")
    print(f"{result.server}, seed {result.seed}: {'failed' if result.problems else 'passed'} in {result.seconds:.1f} s")


def print_check(server: str, name: str, outcome: str) -> None:
    print(f"{server}, {name.replace('_', ' ')}: {outcome}")


def convergence_table(results: list[Result]) -> str:
    rows = []
    for kind, server in fixtures.KINDS.items():
        found = [result for result in results if result.server == kind]
        if found:
            rows.append([server.name, len(found), *totals(found)])
    rows.append(["all", len(results), *totals(results)])
    head = ["server", "seeds", "operations", "faults", "kills", "conflicts shown", "lost", "twins", "changed lines", "other differences",
            "failed seeds", "seconds per seed"]
    return table(head, rows)


def totals(results: list[Result]) -> list[object]:
    def total(name: str) -> int:
        return sum(getattr(result, name) for result in results)

    names = ["operations", "faults", "kills", "conflicts", "lost", "twins", "changed_lines", "other"]
    seconds = sum(result.seconds for result in results) / max(1, len(results))
    return [*map(total, names), sum(1 for result in results if result.problems), f"{seconds:.1f}"]


def table(head: list[str], rows: Iterable[list[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)
