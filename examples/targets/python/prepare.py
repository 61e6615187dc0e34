"""Makes the virtual environment of this server, and prints the path of its Python.

It has pinned packages, and the code generated from the contract. It is below the user's cache folder, one for each content of both.
`--check` makes nothing, and ends with 1 if the environment is missing.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ROOTS_OF_PROTOS = [ROOT / "proto", ROOT / "packages/contract/well-known"]
PROTOS = ["buf/validate/validate.proto", "roundtrip/v1/customer.proto", "roundtrip/v1/hello.proto"]
REQUIREMENTS = HERE / "requirements.txt"


def home() -> Path:
    key = hashlib.sha256(f"{sys.executable} {sys.version}".encode())
    for file in [REQUIREMENTS, *(root / name for root in ROOTS_OF_PROTOS for name in PROTOS if (root / name).exists())]:
        key.update(file.read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "roundtrip" / f"python-target-{key.hexdigest()[:16]}"


def python_in(environment: Path) -> Path:
    return environment / "bin" / "python"


def make(environment: Path) -> None:
    # An aborted installation has another name, so it is never used.
    unfinished = environment.with_name(f"{environment.name}.{os.getpid()}")
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    run = [python_in(unfinished), "-m"]
    try:
        subprocess.run([sys.executable, "-m", "venv", unfinished], check=True)
        install = ["pip", "--disable-pip-version-check", "--quiet", "install", "--no-input", "--require-hashes"]
        subprocess.run([*run, *install, "--only-binary", ":all:", "--requirement", REQUIREMENTS], check=True)
        [packages] = unfinished.glob("lib/python*/site-packages")
        generate = [*(f"-I{root}" for root in ROOTS_OF_PROTOS), f"--python_out={packages}", f"--grpc_python_out={packages}"]
        subprocess.run([*run, "grpc_tools.protoc", *generate, *PROTOS], check=True)
        # Its Python works in another place; only its scripts contain the old path.
        unfinished.rename(environment)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def prepared() -> Path:
    """The path of a Python with the packages and the generated code, which the first call installs."""
    environment = home()
    if not environment.exists():
        make(environment)
    return python_in(environment)


if __name__ == "__main__":
    if "--check" in sys.argv[1:]:
        sys.exit(not home().exists())
    print(prepared())
