"""The blocks of the guide and of the package's page run, and the versions of all files agree."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10, where pytest brings the same module
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ("docs/python.md", "python/README.md")
PROJECT = tomllib.loads((ROOT / "python/pyproject.toml").read_text(encoding="utf-8"))["project"]
PROGRAM = tomllib.loads((ROOT / "python/program/pyproject.toml").read_text(encoding="utf-8"))["project"]

#: Runs blocks from standard input, in order and in one namespace. A block that fails does not stop those below it.
RUNNER = """
import json, sys, traceback
namespace = {"__name__": "__main__"}
for document, line, source in json.load(sys.stdin):
    try:
        exec(compile("\\n" * line + source, document, "exec"), namespace)
    except BaseException:
        print(f"{document}:{line}: this block fails\\n{traceback.format_exc()}", file=sys.stderr)
    else:
        print("ran", line)
"""


def blocks(text):
    """The blocks of a document: the line of the fence, the language, and the lines below."""
    found, fence = [], None
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.lstrip().startswith("```"):
            continue
        if fence is None:
            fence = number
        else:
            found.append((fence, lines[fence - 1].strip()[3:], "\n".join(lines[fence : number - 1])))
            fence = None
    assert fence is None, f"line {fence}: the block has no end"
    return found


def run(document, python, folder):
    """Runs these blocks in an empty folder and returns how many ran."""
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps([(str(document), line, source) for line, source in python]),
        cwd=folder,
        capture_output=True,
        text=True,
    )
    ran = [line for line in done.stdout.splitlines() if re.fullmatch(r"ran \d+", line)]
    assert len(ran) == len(python), f"{len(ran)} of {len(python)} blocks ran\n{done.stderr}"
    return len(ran)


def name_and_extras(target):
    name, extras = re.fullmatch(r"([^\[\]]+)(?:\[([^\[\]]+)\])?", target).groups()
    return name, extras.split(",") if extras else []


def check_install(here, targets):
    """A command installs this package, from its folder or by its name, with extras that it has."""
    for target in targets:
        name, extras = name_and_extras(target)
        if name.startswith("./"):
            assert (ROOT / name / "pyproject.toml").is_file(), f"{here}: no package in {name}"
        else:
            assert name == PROJECT["name"], f"{here}: {name} is not {PROJECT['name']}"
        unknown = set(extras) - set(PROJECT["optional-dependencies"])
        assert not unknown, f"{here}: pyproject.toml has no extra {unknown}"


def check_console(document, line, block):
    """Every command makes an environment, installs this package, or prints the lines below it."""
    commands = re.findall(r"^.*(?:\n(?!\$).*)*", block, re.M) if block else []
    assert commands, f"{document}:{line}: the block is empty"
    for command in commands:
        line += 1
        command, *printed = command.split("\n")
        here = f"{document}:{line}: {command}"
        line += len(printed)
        words = shlex.split(command, comments=True)
        if words[:3] == ["$", "python", "-c"]:
            done = subprocess.run([sys.executable, *words[2:]], capture_output=True, text=True)
            assert done.stdout.splitlines() == printed, f"{here}: prints {done.stdout}{done.stderr}"
        elif words[:3] != ["$", "python3", "-m"] and words[:2] != ["$", "."]:
            known = words[:3] == ["$", "pip", "install"] and len(words) > 3
            assert known, f"{here}: not `$ pip install …`"
            check_install(here, words[3:])


def follow(document, folder):
    """Runs or checks every block of a document and returns how many there were."""
    found = blocks(document.read_text(encoding="utf-8"))
    python = [(line, source) for line, language, source in found if language == "python"]
    console = [(line, source) for line, language, source in found if language == "console"]
    for line, source in console:
        check_console(document, line, source)
    done = run(document, python, folder) + len(console)
    others = [f"{document}:{line}: {language}" for line, language, _ in found if language not in ("python", "console")]
    assert done == len(found), f"blocks that nobody runs: {others}"
    return done


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_block_runs(name, tmp_path):
    done = follow(ROOT / name, tmp_path)
    fences = re.findall(r"^\s*```", (ROOT / name).read_text(encoding="utf-8"), re.M)
    assert done == len(fences) / 2 > 1


WRONG = {
    "a later block": (
        "# Page\n\n```python\na = 1\n```\n\n```python\nb = a\nb / 0\n```\n",
        r"page\.md:7: [\s\S]*line 9[\s\S]*ZeroDivisionError",
    ),
    "an early end": ("```python\na = 1\nraise SystemExit(0)\n```\n", r"page\.md:1: [\s\S]*line 3[\s\S]*SystemExit"),
    "an end of the process": ("```python\nimport os\nos._exit(0)\n```\n", "0 of 1 blocks ran"),
    "no Python": ("```python\na = = 1\n```\n", r"page\.md:1: [\s\S]*line 2[\s\S]*SyntaxError"),
    "another language": ("```text\nhello\n```\n", r"nobody runs: \['.*page\.md:1: text'\]"),
    "no end": ("```python\na = 1\n", "line 1: the block has no end"),
    "no folder": ("```console\n$ pip install ./nowhere\n```\n", r"page\.md:2: .*no package in \./nowhere"),
    "no extra": ("```console\n$ pip install 'risk-cli[parquet,none]'\n```\n", "no extra {'none'}"),
    "another package": ("```console\n$ pip install other\n```\n", "other is not risk-cli"),
    "another output": ("```console\n$ python -c 'print(1)'\n2\n```\n", "page\\.md:2: .*prints 1"),
    "another command": ("```console\n$ pip list\n```\n", "not `. pip install …`"),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_block_is_found(text, said, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(AssertionError, match=said):
        follow(page, tmp_path)


def test_blocks_share_names_and_nothing_else(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\na = 1\n```\n\n```python\nassert a == 1\nassert 'json' not in globals()\n```\n")
    assert follow(page, tmp_path) == 2


def test_versions_agree():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = cargo["package"]["version"]
    crate = tomllib.loads((ROOT / "python/Cargo.toml").read_text(encoding="utf-8"))
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^(\w[\w-]*): *\"?([^\"\n]*)\"?$", citation, re.M))
    assert PROJECT["version"] == version == fields["version"] == crate["package"]["version"] == PROGRAM["version"]
    page = (ROOT / "python/README.md").read_text(encoding="utf-8")
    assert re.findall(r"version (\d+\.\d+\.\d+)", page) == [version]
    assert f"Rust {cargo['workspace']['package']['rust-version']} or later" in page
    assert f"Python {PROJECT['requires-python'][2:]} or later" in page
    guide = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    assert f"Rust {cargo['workspace']['package']['rust-version']} or later" in guide
    assert f"Python {PROJECT['requires-python'][2:]} or later" in guide


def test_licences_agree():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    assert PROJECT["license"] == PROGRAM["license"] == cargo["license"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for name in cargo["license"].split(" OR "):
        assert f"- {name}\n" in citation
    for name in ("LICENSE-MIT", "LICENSE-APACHE"):
        for folder in ("python/licences", "python/program/licences"):
            assert (ROOT / folder / name).read_bytes() == (ROOT / name).read_bytes()


def test_the_page_has_the_figures_of_the_guide():
    guide = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    page = (ROOT / "python/README.md").read_text(encoding="utf-8")
    figures = re.findall(r"\| ([\d,]+ – [\d,]+) \|$", page, re.M)
    assert len(figures) == 4
    for figure in figures:
        assert f"| {figure} |" in guide
    date = re.search(r"\d+ \w+ 20\d\d", page).group()
    assert date in guide
