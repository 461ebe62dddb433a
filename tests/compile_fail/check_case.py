"""check_case.py CASE.cpp COMPILER FLAG...: the case must compile, must not compile with MUST_NOT_COMPILE defined, and
must then fail for the reason in its line `// Expected: REGULAR EXPRESSION`, not for a slip elsewhere."""

import re
import subprocess
import sys


def compile_case(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False,
                          env={"LC_ALL": "C", "PATH": "/usr/local/bin:/usr/bin:/bin"})


def main(arguments):
    case, compiler = arguments[0], arguments[1:]
    with open(case, encoding="utf-8") as source:
        expected = re.search(r"^// Expected: (.+)$", source.read(), re.MULTILINE)
    if not expected:
        print(f"{case}: no line '// Expected: ...'")
        return 1
    good = compile_case([*compiler, case])
    if good.returncode != 0:
        print(f"{case}: must compile without MUST_NOT_COMPILE\n{good.stderr}")
        return 1
    bad = compile_case([*compiler, "-DMUST_NOT_COMPILE", case])
    if bad.returncode == 0:
        print(f"{case}: compiles with MUST_NOT_COMPILE")
        return 1
    if not re.search(expected.group(1), bad.stderr):
        print(f"{case}: fails, but not with '{expected.group(1)}'\n{bad.stderr}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
