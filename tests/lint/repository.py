"""The files that the lints look at, and the form of a finding."""

import os
from pathlib import Path
from typing import NamedTuple

SKIPPED_FOLDERS = {".git", "build", "__pycache__", ".cache"}


class Finding(NamedTuple):
    path: str
    line: int
    message: str

    def __str__(self):
        return f"{self.path}:{self.line}: {self.message}"


def files(root, *folders):
    """Relative POSIX paths of all files below the root, or below the given folders of it; sorted."""
    found = []
    for top in folders or ("",):
        for directory, names, file_names in os.walk(Path(root) / top):
            names[:] = [name for name in names if name not in SKIPPED_FOLDERS]
            found += [(Path(directory) / name).relative_to(root).as_posix() for name in file_names]
    return sorted(found)


def text(root, path):
    """The text of a file, or None where it is no text."""
    content = (Path(root) / path).read_bytes()
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def is_cpp(path):
    return path.endswith((".h", ".cpp"))


def is_test_source(path):
    """Unit tests, fuzz targets and benchmarks beside the sources: part of no library."""
    return path.endswith(("_test.cpp", "_fuzz.cpp", "_benchmark.cpp"))
