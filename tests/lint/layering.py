"""Direction of the folders of src/: which folder may include which, and what the pure ones must not touch.

ALLOWED is the one table of allowed edges. A folder may include itself and the folders listed for it; the folders that
CMake links (mekiki_library(NAME DEPENDS ...)) must be in the table too.
"""

import re

import repository
from repository import Finding

CORE = ["base"]
VALUES = CORE + ["model", "hardware"]
STEP = VALUES + ["job", "layout", "program"]
PLAN = STEP + ["memory", "time", "forecast", "cost", "search", "explain", "advice", "audit"]
PURE = PLAN + ["checkpoint", "catalog", "inventory", "validate", "page", "report"]

ALLOWED = {
    "base": [],
    "model": CORE,
    "checkpoint": CORE + ["model"],
    "hardware": CORE,
    "job": VALUES,
    "layout": VALUES,
    "program": VALUES + ["job", "layout"],
    "memory": STEP,
    "time": STEP,
    "forecast": STEP + ["memory", "time"],
    "cost": STEP + ["memory", "time", "forecast"],
    "search": STEP + ["memory", "time", "forecast", "cost"],
    "explain": STEP + ["memory", "time", "forecast", "cost", "search"],
    "advice": STEP + ["memory", "time", "forecast", "cost", "search"],
    "audit": STEP + ["memory", "time", "forecast", "cost", "search"],
    "catalog": STEP + ["cost"],
    "inventory": VALUES + ["cost", "catalog"],
    "validate": STEP + ["memory", "time", "catalog"],
    "page": CORE,
    "report": PLAN + ["checkpoint", "catalog", "inventory", "validate", "page"],
    "os": CORE,
    "ledger": PURE + ["os"],
    "bench": PURE + ["os", "ledger"],
    "trainer": PURE + ["os", "ledger"],
    "launch": PURE + ["os"],
    "baseline": PURE + ["os", "ledger"],
    "server": PURE + ["os", "ledger", "bench", "launch", "baseline"],
    "cli": PURE + ["os", "ledger", "bench", "launch", "baseline", "server"],
}

# Files, clock, processes, terminal, environment: not for a pure folder. Threads are for folders that share out work.
IMPURE_HEADERS = {
    "cstdio", "ctime", "filesystem", "fstream", "iostream", "print", "stdio.h", "syncstream", "time.h",
    "unistd.h", "fcntl.h", "csignal", "signal.h", "fmt/ostream.h", "fmt/os.h", "fmt/chrono.h",
}
CALENDAR_FOLDERS = {"base"}  # <chrono> for dates; its clocks stay forbidden
THREAD_HEADERS = {"thread", "mutex", "shared_mutex", "condition_variable", "future", "atomic"}
THREADED_FOLDERS = {"search", "forecast"}
IMPURE_CALLS = re.compile(
    r"std::(cout|cerr|clog|cin|getenv|system|abort|exit|quick_exit|random_device)\b"
    r"|\b(getenv|fopen|printf|fprintf)\s*\(|\bfmt::print\b|\bthread_local\b|\b\w+_clock\b"
)

# Other people's headers: the folders that may see them. Anything not named here is free for all.
EXTERNAL = [
    (re.compile(r"toml\+\+/"), {"job"}),
    (re.compile(r"nlohmann/"), {"base", "model", "job", "checkpoint", "catalog", "validate", "report", "ledger", "bench", "trainer", "launch", "baseline", "server", "cli"}),
    (re.compile(r"yaml-cpp/"), {"job", "catalog", "launch"}),
    (re.compile(r"CLI/"), {"cli"}),
    (re.compile(r"httplib\.h"), {"os", "server"}),
    (re.compile(r"curl/"), {"os"}),
    (re.compile(r"sqlite3\.h"), {"ledger"}),
    (re.compile(r"(torch|ATen|c10)/"), {"trainer"}),
    (re.compile(r"sys/|linux/|netinet/|arpa/"), {"os"}),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
LIBRARY = re.compile(r"mekiki_library\(\s*(\w+)([^)]*)\)")


def table_findings(allowed):
    """The table itself: only known folders, and no two folders that may include each other."""
    findings = []
    for folder, targets in allowed.items():
        for target in targets:
            if target not in allowed:
                findings.append(Finding("tests/lint/layering.py", 1, f"{folder} may include {target}, which is no folder"))
            elif folder in allowed[target]:
                findings.append(Finding("tests/lint/layering.py", 1, f"{folder} and {target} may include each other"))
    return findings


def own_include(folder, included, is_header_of_src):
    if "/" not in included:
        return f'"{included}": includes start at src/, as in "{folder}/{included}"'
    target = included.split("/")[0]
    if target == folder or target in ALLOWED[folder]:
        return None
    if target in ALLOWED or is_header_of_src:
        return f'{folder} must not include {target} ("{included}")'
    return None


def external_include(folder, included):
    if folder in PURE and included in IMPURE_HEADERS:
        return f"{folder} is pure and must not include <{included}>"
    if folder in PURE and included == "chrono" and folder not in CALENDAR_FOLDERS:
        return f"{folder} knows no clock and must not include <chrono>"
    if folder in PURE and included in THREAD_HEADERS and folder not in THREADED_FOLDERS:
        return f"{folder} starts no threads and must not include <{included}>"
    for pattern, folders in EXTERNAL:
        if pattern.match(included) and folder not in folders:
            return f"{folder} must not include <{included}>; only {', '.join(sorted(folders))} may"
    return None


def line_message(path, folder, line, sources):
    include = INCLUDE.match(line)
    if include and include.group(1):
        return own_include(folder, include.group(1), f"src/{include.group(1)}" in sources)
    if repository.is_test_source(path):
        return None
    if include:
        return external_include(folder, include.group(2))
    call = IMPURE_CALLS.search(line.split("//")[0]) if folder in PURE else None
    return f"{folder} is pure and must not use {call.group(0).rstrip('( ')}" if call else None


def source_findings(root):
    sources = set(repository.files(root, "src"))
    findings = []
    for path in sorted(sources):
        parts = path.split("/")
        if not repository.is_cpp(path) or len(parts) < 3:
            continue
        if parts[1] not in ALLOWED:
            findings.append(Finding(path, 1, f"folder {parts[1]} is not in the table of tests/lint/layering.py"))
            continue
        for number, line in enumerate((repository.text(root, path) or "").splitlines(), 1):
            message = line_message(path, parts[1], line, sources)
            if message:
                findings.append(Finding(path, number, message))
    return findings


def cmake_findings(root):
    findings = []
    for path in repository.files(root, "src"):
        if not path.endswith("CMakeLists.txt"):
            continue
        folder = path.split("/")[1]
        for name, arguments in LIBRARY.findall(repository.text(root, path) or ""):
            depends = re.search(r"\bDEPENDS\s+([a-z_\s]+?)\s*(?:\b(?:LIBS|EXTRA)\b|$)", arguments)
            for target in depends.group(1).split() if depends else []:
                target_folder = target.split("_")[0]  # a part of a folder is named FOLDER_PART
                if target_folder != folder and target_folder not in ALLOWED.get(folder, []):
                    findings.append(Finding(path, 1, f"{name} must not link {target}"))
    return findings


def check(root):
    return table_findings(ALLOWED) + source_findings(root) + cmake_findings(root)
