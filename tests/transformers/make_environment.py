#!/usr/bin/env python3
"""make_environment.py FOLDER [REQUIREMENTS]: a virtual environment with torch and transformers that works without a GPU,
and with the packages of one more file. Needs pip's registry, cc and readelf; takes 2 GB."""

import subprocess
import sys
import venv
from pathlib import Path

import stub_libraries

REQUIREMENTS = Path(__file__).with_name("requirements.txt")
# They ask for the GPU libraries, torch itself or through it, or for data and logging that nothing here uses.
WITHOUT_DEPENDENCIES = ("torch", "peft", "accelerate", "torchtune", "torchao", "litgpt", "lightning", "torchtitan")


def main(arguments):
    folder = Path(arguments[0]).resolve()
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet"]
    files = [REQUIREMENTS, *map(Path, arguments[1:])]
    lines = [line for file in files for line in file.read_text().splitlines() if line and not line.startswith("#")]
    alone = [line for line in lines if line.split("==")[0] in WITHOUT_DEPENDENCIES]
    subprocess.run(pip + ["--no-deps"] + alone, check=True)
    subprocess.run(pip + [line for line in lines if line not in alone], check=True)
    site_packages = next(folder.glob("lib/python3*/site-packages"))
    print("stand-ins for", ", ".join(stub_libraries.write_stubs(site_packages)))
    check = "import torch, transformers; print('torch', torch.__version__, 'transformers', transformers.__version__)"
    subprocess.run([python, "-c", check], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
