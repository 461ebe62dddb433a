"""Commands of a Markdown file and the output that it shows for them.

Read are the fenced blocks marked `console` or `sh`. In them a line "$ COMMAND" is a command (a line that ends in "\\"
goes on in the next, which may start with "> "), and the lines up to the next command are its output; a line "..." or
"…" stands for any number of lines. A command with no output below it is only run. The exit code must be 0, or the N of
"exit=N" after the block's mark. A `sh` block shows no output.
"""

import re
from typing import NamedTuple

FENCE = re.compile(r"^(?P<indent> *)```(?P<mark>console|sh)\b *(?P<rest>.*)$")
ELISIONS = ("...", "…")


class Command(NamedTuple):
    line: int  # of the file
    text: str
    output: tuple  # lines shown; empty: nothing is compared
    code: int


def blocks(text):
    """(number of the first line, lines, exit code) of each block that holds commands."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        fence = FENCE.match(lines[number])
        number += 1
        if not fence:
            continue
        first, indent = number, len(fence.group("indent"))
        while number < len(lines) and lines[number].strip() != "```":
            number += 1
        code = re.search(r"\bexit=(\d+)", fence.group("rest"))
        yield first + 1, [line[indent:] for line in lines[first:number]], int(code.group(1)) if code else 0
        number += 1


def commands(text):
    found = []
    for first, lines, code in blocks(text):
        number = 0
        while number < len(lines):
            line_number, line = first + number, lines[number]
            number += 1
            if not line.startswith("$ "):
                continue
            command = line[2:]
            while command.endswith("\\") and number < len(lines):
                command += "\n" + re.sub(r"^> ?", "", lines[number])
                number += 1
            output = []
            while number < len(lines) and not lines[number].startswith("$ "):
                output.append(lines[number].rstrip())
                number += 1
            while output and not output[-1]:
                output.pop()
            found.append(Command(line_number, command, tuple(output), code))
    return found


def matches(shown, actual):
    """Whether the shown lines are the actual ones, with each elision standing for any lines."""
    actual = [line.rstrip() for line in actual]
    while actual and not actual[-1]:
        actual.pop()
    pattern = []
    for line in shown:
        pattern.append(r"(?:[^\n]*\n)*?" if line.strip() in ELISIONS else re.escape(line) + r"\n")
    return re.fullmatch("".join(pattern), "".join(line + "\n" for line in actual)) is not None
