"""Prints the steps of the tests with their results."""

MAXIMUM_LINES = 40


def show(step: str, output: str = "", status: int = 0) -> None:
    """Print a step and, indented, its output. The middle of long output is omitted."""
    print(f"  {step}")
    lines = output.rstrip().splitlines()
    if len(lines) > MAXIMUM_LINES:
        half = MAXIMUM_LINES // 2
        lines[half:-half] = [f"({len(lines) - MAXIMUM_LINES} lines left out)"]
    for line in lines:
        print(f"    {line}")
    if status != 0:
        print(f"    (exit status {status})")
