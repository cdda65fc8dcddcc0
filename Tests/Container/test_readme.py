"""The README's examples with the journal, compared with the output for an ordinary user."""

import re

from case import REPOSITORY, ServiceCase

# Text that depends on the time, the machine and the user. The rest is compared.
VARIABLE = [
    (r"^[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \S+ (\w+)\[\d+\]:", r"TIME HOST \1:"),
    (r"/home/\w+/", "/home/USER/"),
    (r"(today|(tomorrow )?[A-Z][a-z]{2} \d+ [A-Z][a-z]{2}) \d\d:\d\d", "WHEN"),
]


class ReadmeTest(ServiceCase):
    def blocks(self, language: str) -> list[str]:
        """Return the README's blocks in this language that mention the journal."""
        text = (REPOSITORY / "README.md").read_text()
        blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        return [block for block in blocks if "journalctl" in block]

    def forms(self, output: str) -> list[str]:
        lines = output.splitlines()
        for pattern, replacement in VARIABLE:
            lines = [re.sub(pattern, replacement, line) for line in lines]
        return lines

    def test_session_of_the_readme_ends_in_the_journal(self):
        blocks = self.blocks("console")
        self.assertEqual(len(blocks), 1)
        self.start()
        self.user.run("todoctl category add Home")
        mark = self.user.mark()
        for step in re.split(r"^\$ ", blocks[0], flags=re.MULTILINE)[1:]:
            line, shown = step.split("\n", 1)
            if line.startswith("journalctl"):
                self.user.wait_for_message("alert", after=mark)
            # The order of the lines of systemd and todod is not fixed.
            self.assertCountEqual(self.forms(self.user.run(line)), self.forms(shown), line)

    def test_journal_lines_of_the_readme_show_the_alert(self):
        self.start()
        mark = self.user.mark()
        self.user.run("todoctl add Pay the rent --priority 1 --due 'in 3 minutes'")
        self.user.wait_for_message("alert", after=mark)
        lines = [line for block in self.blocks("sh") for line in block.splitlines() if "journalctl" in line]
        self.assertEqual(len(lines), 3)
        for line in lines:
            shown = self.user.run(line)
            # The command for missed alerts shows none. The others show the alert.
            self.assertEqual("Pay the rent is due in" in shown, "TODO_ALERT=missed --since" not in line, line)
