"""Stand-ins for the GPU libraries that a torch wheel is linked with, so that torch can be imported without them.

Every function of a stand-in ends the process: what runs on the CPU never reaches one.
"""

import ctypes
import re
import subprocess
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple


class Symbol(NamedTuple):
    name: str
    version: str  # empty: none
    is_data: bool
    is_defined: bool
    is_weak: bool


def readelf(option, library):
    return subprocess.run(["readelf", option, "-W", library], check=True, capture_output=True, text=True).stdout


def needed_names(library):
    return re.findall(r"\(NEEDED\).*\[(.+)\]", readelf("-d", library))


def symbols(library):
    for line in readelf("--dyn-syms", library).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[0].rstrip(":").isdigit():
            name, _, version = fields[7].partition("@")
            yield Symbol(name, version.lstrip("@"), fields[3] == "OBJECT", fields[6] != "UND", fields[4] == "WEAK")


def required_versions(library):
    """Version name to the library that must define it."""
    owner, owners = None, {}
    for line in readelf("-V", library).splitlines():
        if match := re.search(r"File: (\S+)", line):
            owner = match.group(1)
        elif (match := re.search(r"Name: (\S+) .*Version: \d+", line)) and owner:
            owners[match.group(1)] = owner
    return owners


def is_on_system(name):
    try:
        ctypes.CDLL(name)
        return True
    except OSError:
        return False


def write_stub(path, versions):
    """`versions` maps a version name (empty: none) to the symbols under it."""
    source = ["#include <stdlib.h>"]
    script = []
    for version, members in sorted(versions.items()):
        for symbol in sorted(members):
            source.append(
                f"char {symbol.name}[4096];" if symbol.is_data else f"void {symbol.name}(void) {{ abort(); }}"
            )
        if version:
            script.append(f"{version} {{ global: {' '.join(symbol.name + ';' for symbol in sorted(members))} }};")
    command = ["cc", "-shared", "-fPIC", "-w", "-fno-builtin", "-x", "c", "-", "-o", path, f"-Wl,-soname,{path.name}"]
    if script:
        script_path = path.with_name(path.name + ".map")
        script_path.write_text("\n".join(script))
        command.append(f"-Wl,--version-script={script_path}")
    subprocess.run(command, input="\n".join(source), text=True, check=True)


def write_stubs(site_packages):
    """Writes a stand-in beside torch's own libraries for every one that is neither installed nor of the system."""
    folder = site_packages / "torch" / "lib"
    own = sorted(folder.glob("*.so"))
    installed = sorted(site_packages.glob("nvidia/**/*.so*"))
    present = {path.name for path in folder.iterdir()} | {path.name for path in installed}
    missing = {name for library in own for name in needed_names(library)} - present
    missing = {name for name in missing if not is_on_system(name)}

    defined = {symbol.name for library in own + installed for symbol in symbols(library) if symbol.is_defined}
    process = ctypes.CDLL(None)
    stubs = {name: defaultdict(set) for name in missing}
    unversioned = set()
    for library in own:
        owners = required_versions(library)
        for symbol in symbols(library):
            if symbol.is_defined or symbol.is_weak:
                continue
            if symbol.version:
                if owners.get(symbol.version) in missing:
                    stubs[owners[symbol.version]][symbol.version].add(symbol)
            elif symbol.name not in defined and not hasattr(process, symbol.name):
                unversioned.add(symbol)
    # A symbol without version may come from any library of the process, so the first stand-in has them all.
    for name, versions in sorted(stubs.items()):
        versions[""] |= unversioned
        write_stub(folder / name, versions)
        unversioned = set()
    return sorted(missing)
