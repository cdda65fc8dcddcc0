"""Prints the result of each test when it ends, and the numbers of results after the last one."""

import traceback
import unittest

JOURNAL_LINES = 30


class Report(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.passed = 0
        self.failed: list[str] = []

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        print(f"\n{title(test)}")

    def addSuccess(self, test: unittest.TestCase) -> None:
        self.passed += 1
        print("  PASSED")

    def addFailure(self, test: unittest.TestCase, error) -> None:
        super().addFailure(test, error)
        self._tell(test, error)

    def addError(self, test: unittest.TestCase, error) -> None:
        super().addError(test, error)
        self._tell(test, error)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, error) -> None:
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._tell(test, error, subtest)

    def summarise(self, seconds: float) -> None:
        """Print the names of the failed tests and a summary."""
        print()
        for name in self.failed:
            print(f"FAILED: {name}")
        print(f"Container tests ({seconds:.0f} s):"
              f" {self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped")

    def _tell(self, test: unittest.TestCase, error, subtest: unittest.TestCase | None = None) -> None:
        if title(test) not in self.failed:
            self.failed.append(title(test))
            user = getattr(test, "user", None)
            if user is not None:
                user.attempt(f"journalctl --user --no-pager --lines={JOURNAL_LINES}")
        if subtest is not None:
            print(f"  FAILED at: {subtest}")
        else:
            print("  FAILED")
        for line in "".join(traceback.format_exception(*error)).rstrip().splitlines():
            print(f"    {line}")


def title(test: unittest.TestCase) -> str:
    """Return the name of a test as a sentence."""
    return str(test).split()[0].removeprefix("test_").replace("_", " ")
