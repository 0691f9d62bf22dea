"""Fills a copy of the files that have addresses, and clears it again: `python3 packaging/test_fill.py`."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GIVEN = [
    *("Cargo.toml", "CITATION.cff", "README.md", "python/README.md", "python/pyproject.toml", "python/program/pyproject.toml"),
    *(".github/workflows/release.yml", "crates/playground/site.js", "packaging"),
    *(str(path.relative_to(ROOT)) for path in ROOT.glob("crates/*/Cargo.toml")),
]
ADDRESS = "https://example.org/risk/risk-cli"
OTHER = "https://forge.example.net:8443/people/Some.Body/engine"
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]
ARCHIVES = [
    f"risk-cli-{VERSION}-{target}"
    for target in (
        *("aarch64-apple-darwin.tar.gz", "x86_64-apple-darwin.tar.gz", "aarch64-unknown-linux-gnu.tar.gz"),
        *("x86_64-unknown-linux-gnu.tar.gz", "x86_64-pc-windows-msvc.zip"),
    )
]


class Fill(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for name in GIVEN:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)
        # These tests pass in a repository with addresses, too.
        self.fill("--clear")
        self.cleared = self.state()

    def run_fill(self, *arguments):
        return subprocess.run(
            [sys.executable, "packaging/fill", *arguments], cwd=self.root, capture_output=True, text=True, timeout=60
        )

    def fill(self, *arguments):
        done = self.run_fill(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def refused(self, said, *arguments):
        """The command fails with a text that contains `said`, and changes nothing."""
        before = self.state()
        done = self.run_fill(*arguments)
        self.assertEqual(done.returncode, 2, (arguments, done.stdout, done.stderr))
        self.assertIn(said, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(self.state(), before)

    def state(self):
        return {str(path.relative_to(self.root)): path.read_bytes() for path in self.root.rglob("*") if path.is_file()}

    def text(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def toml(self, name):
        return tomllib.loads(self.text(name))

    def archives(self):
        """A folder with archives of all systems, and their checksums."""
        folder = self.root / "archives"
        folder.mkdir()
        for name in ARCHIVES:
            (folder / name).write_bytes(name.encode())
            (folder / f"{name}.sha256").write_text(f"{self.sum(name)}  {name}\n", encoding="utf-8")
        return folder

    def sum(self, name):
        return hashlib.sha256(name.encode()).hexdigest()

    def test_this_repository_is_as_its_addresses_say(self):
        done = subprocess.run([sys.executable, ROOT / "packaging/fill", "--check"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_every_file_gets_its_address(self):
        self.fill(ADDRESS, "--homepage", "https://risk.example.org", "--image", "registry.example.org/risk/cli", "--tap", "Risk/games")
        root = self.toml("Cargo.toml")
        self.assertEqual(root["workspace"]["package"]["repository"], ADDRESS)
        self.assertEqual(root["workspace"]["package"]["homepage"], "https://risk.example.org")
        binstall = root["package"]["metadata"]["binstall"]
        address = binstall["pkg-url"]
        for key, value in {"name": "risk-cli", "version": VERSION, "target": "T", "archive-suffix": ".tar.gz"}.items():
            address = address.replace(f"{{ {key} }}", value)
        self.assertEqual(address, f"{ADDRESS}/releases/download/v{VERSION}/risk-cli-{VERSION}-T.tar.gz")
        self.assertEqual(binstall["overrides"], {"x86_64-pc-windows-msvc": {"pkg-fmt": "zip"}})
        published = 0
        for path in [self.root / "Cargo.toml", *self.root.glob("crates/*/Cargo.toml")]:
            package = tomllib.loads(path.read_text(encoding="utf-8"))["package"]
            inherits = package.get("publish") is not False
            self.assertEqual(package.get("repository") == package.get("homepage") == {"workspace": True}, inherits, path)
            published += inherits
        self.assertGreater(published, 10)
        for name in ("python/pyproject.toml", "python/program/pyproject.toml"):
            urls = self.toml(name)["project"]["urls"]
            self.assertEqual((urls["Repository"], urls["Homepage"]), (ADDRESS, "https://risk.example.org"))
        self.assertIn(f'\nrepository-code: "{ADDRESS}"\nurl: "https://risk.example.org"\n', self.text("CITATION.cff"))
        self.assertIn(f'\nLABEL org.opencontainers.image.source="{ADDRESS}"\n', self.text("packaging/Containerfile"))
        self.assertIn('\n  IMAGE: "registry.example.org/risk/cli"\n', self.text(".github/workflows/release.yml"))
        self.assertIn(f'\nconst SOURCE = "{ADDRESS}";\n', self.text("crates/playground/site.js"))
        self.assertIn("`brew install Risk/games/risk-cli`", self.text("README.md"))
        self.assertIn("`docker run --rm -it registry.example.org/risk/cli play", self.text("README.md"))
        # PyPI can follow all links of its page, and the page still links to files that exist.
        links = re.findall(r"\]\(([^)]*)\)", self.text("python/README.md"))
        self.assertEqual([link for link in links if not link.startswith("https://")], [])
        found = [link.split(f"/v{VERSION}/")[1] for link in links if link.startswith(ADDRESS)]
        self.assertGreater(len(found), 3)
        self.assertEqual([name for name in found if not (ROOT / name).is_file()], [])

    def test_the_page_links_to_files_that_exist(self):
        for link in re.findall(r"\]\(([^)]*)\)", self.text("python/README.md")):
            self.assertTrue((ROOT / "python" / link).is_file(), link)

    def test_a_second_time_changes_nothing(self):
        self.fill(ADDRESS)
        filled = self.state()
        for arguments in ((ADDRESS,), ()):
            self.assertNotIn("wrote", self.fill(*arguments))
            self.assertEqual(self.state(), filled)
        self.fill("--check")

    def test_another_address_replaces_the_first(self):
        self.fill(OTHER, "--tap", "people/tap")
        expected = self.state()
        self.fill("--clear")
        self.fill(ADDRESS)
        self.fill(OTHER, "--tap", "people/tap")
        self.assertEqual(self.state(), expected)
        self.fill("--tap", "others/tap")
        self.assertIn("`brew install others/tap/risk-cli`", self.text("README.md"))
        self.assertEqual(self.toml("packaging/addresses.toml")["repository"], OTHER)

    def test_a_new_version_moves_the_links(self):
        self.fill(ADDRESS)
        manifest = self.root / "Cargo.toml"
        manifest.write_text(manifest.read_text().replace(f'version = "{VERSION}"', 'version = "7.8.9"', 1))
        self.assertIn("python/README.md", self.run_fill("--check").stderr)
        self.fill()
        self.assertIn("/v7.8.9/docs/python.md", self.text("python/README.md"))
        self.assertNotIn(f"/v{VERSION}/", self.text("python/README.md"))

    def test_cleared_is_as_before(self):
        self.fill(ADDRESS)
        self.assertNotEqual(self.state(), self.cleared)
        self.fill("--clear")
        self.assertEqual(self.state(), self.cleared)

    def test_a_file_that_was_edited_is_named(self):
        self.fill(ADDRESS)
        filled = self.state()
        for name in filled:
            if name.startswith("target") or name == "packaging/test_fill.py" or ADDRESS.encode() not in filled[name]:
                continue
            path = self.root / name
            path.write_bytes(filled[name].replace(b"risk/risk-cli", b"risk/fork", 1))
            done = self.run_fill("--check")
            self.assertEqual(done.returncode, 1, name)
            # An edited file of addresses is the one that counts: all others differ from it.
            if name != "packaging/addresses.toml":
                self.assertEqual(done.stderr, f"{name} is not as packaging/addresses.toml says: run packaging/fill\n")
            path.write_bytes(filled[name])
        self.fill("--check")
        self.assertGreater(len(filled), 20)

    def test_addresses_that_can_not_be_used(self):
        for address in (
            *("", "risk-cli", "http://example.org/risk/risk-cli", "https://example.org", "https://example.org/risk"),
            *("https://example.org/risk/", "https://example.org/risk/risk-cli/", "https://example.org/risk/risk-cli.git"),
            *("https://example.org/risk/ri sk", 'https://example.org/risk/"', "https://example.org/risk/a\nb", f"{ADDRESS}\n"),
            *("https://example.org/risk/a`b`", "https://example.org/risk/$(id)", "https://example.org/risk/'", "https://x/a/b"),
            *("https://me:word@example.org/a/b", "https://example.org/a/b?c", "https://example.org/a/b#c", "https://example.org/a/.."),
            *("git@example.org:a/b", "https://example.org/a//b", "https://example.org/a/b\\", "https://example.org/ä/b"),
            *("https://example.org/a/{b}", "https://example.org/a/%20"),
        ):
            with self.subTest(address=address):
                self.refused("REPOSITORY: https://HOST/OWNER/NAME", address)
        for option, value, said in (
            ("--homepage", "example.org", "https://HOST/PATH was expected, not 'example.org'"),
            ("--homepage", "", "--homepage: https://HOST/PATH was expected"),
            ("--downloads", "https://example.org/v1", "with {version} in it"),
            ("--downloads", "https://example.org/{version}/{name}", "with {version} in it"),
            ("--files", "../docs", "--files: https://HOST/PATH"),
            ("--raw", "https://example.org/a b", "--raw: https://HOST/PATH"),
            ("--image", "example.org/Risk/risk-cli", "in small letters"),
            ("--image", "example.org/risk/risk-cli:latest", "without a tag"),
            ("--image", "risk/risk-cli", "REGISTRY/OWNER/NAME"),
            ("--tap", "risk", "OWNER/NAME"),
            ("--tap", "risk/homebrew-tap", "OWNER/homebrew-NAME"),
            ("--tap", "risk/tap\n", "OWNER/NAME"),
            ("--colour", "red", "unrecognized arguments"),
        ):
            with self.subTest(option=option, value=value):
                self.refused(said, ADDRESS, f"{option}={value}")

    def test_commands_that_can_not_be_used(self):
        self.refused("there are no addresses yet: run `packaging/fill https://HOST/OWNER/NAME`")
        self.refused("there are no addresses yet", "--tap", "risk/tap")
        self.refused("there are no addresses yet", "--sums", str(self.archives()))
        self.refused("--check and --clear go with nothing else", "--check", "--clear")
        self.refused("--check and --clear go with nothing else", "--clear", ADDRESS)
        self.refused("unrecognized arguments", ADDRESS, OTHER)

    def test_files_that_can_not_be_used(self):
        for name, before, after, said in (
            ("packaging/addresses.toml", 'tap = ""', "", "missing or unknown: tap"),
            ("packaging/addresses.toml", 'tap = ""', 'tap = ""\npypi = ""', "missing or unknown: pypi"),
            ("packaging/addresses.toml", 'tap = ""', 'tap = "', "packaging/addresses.toml: "),
            ("packaging/addresses.toml", 'tap = ""', "tap = 5", "packaging/addresses.toml: repository: "),
            ("packaging/addresses.toml", 'tap = ""', 'tap = "a/b"', "packaging/addresses.toml: repository: "),
            ("Cargo.toml", "no-default-features = true", "", "Cargo.toml: the line `no-default-features = true` was expected once"),
            ("Cargo.toml", f'version = "{VERSION}"', 'version = "1.0.0-rc.1"', "a version such as 1.2.3"),
            ("crates/maps/Cargo.toml", "license.workspace = true", 'license = "MIT"', "crates/maps/Cargo.toml: the line"),
            ("CITATION.cff", "authors:", 'url: "https://x.org"\nauthors:', "CITATION.cff:5: packaging/fill writes this line"),
            ("crates/playground/site.js", "const SOURCE", "let SOURCE", "crates/playground/site.js: the line"),
            ("python/README.md", "../CITATION.cff", "CITATION.txt", "python/README.md: the line `](../CITATION.cff)`"),
        ):
            with self.subTest(name=name, after=after):
                path = self.root / name
                text = path.read_text(encoding="utf-8")
                self.assertIn(before, text)
                path.write_text(text.replace(before, after, 1), encoding="utf-8")
                self.refused(said, ADDRESS)
                path.write_text(text, encoding="utf-8")

    def test_recipes_have_the_sums_of_the_archives(self):
        folder = self.archives()
        self.fill(ADDRESS)
        self.fill("--sums", str(folder))
        formula, build = self.text("target/packaging/risk-cli.rb"), self.text("target/packaging/PKGBUILD")
        self.assertEqual(re.findall("@.*@|waits", formula + build), [])
        for name in ARCHIVES:
            address = f"{ADDRESS}/releases/download/v{VERSION}/{name}"
            if name.endswith(".tar.gz"):
                self.assertIn(f'url "{address}"\n      sha256 "{self.sum(name)}"\n', formula)
            if "linux" in name:
                machine = name.split("-")[3]
                self.assertIn(f"source_{machine}=('{address}')\nsha256sums_{machine}=('{self.sum(name)}')\n", build)
        self.check_syntax()
        filled = self.state()
        self.fill("--sums", str(folder))
        self.assertEqual(self.state(), filled)

    def check_syntax(self):
        if bash := shutil.which("bash"):
            subprocess.run([bash, "-n", self.root / "target/packaging/PKGBUILD"], check=True)
        if ruby := shutil.which("ruby"):
            subprocess.run([ruby, "-c", self.root / "target/packaging/risk-cli.rb"], check=True, capture_output=True)

    def test_recipes_without_sums_fail_and_say_so(self):
        self.fill(ADDRESS)
        self.check_syntax()
        said = "waits for the checksums of the archives: run packaging/fill --sums FOLDER"
        done = subprocess.run(["bash", self.root / "target/packaging/PKGBUILD"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(said, done.stderr)
        formula = self.text("target/packaging/risk-cli.rb")
        self.assertIn(f'class RiskCli < Formula\n  raise "this recipe {said}"\n', formula)
        self.assertEqual(re.findall("sha256 \"(.+)\"", formula), [])

    def test_the_package_for_arch_has_all_files(self):
        self.fill(ADDRESS)
        self.fill("--sums", str(self.archives()))
        inside = self.root / f"src/risk-cli-{VERSION}-x86_64-unknown-linux-gnu"
        names = ["risk-cli", "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "LICENCES-OF-PACKAGES.txt"]
        names += [f"completions/risk-cli.{shell}" for shell in ("bash", "elvish", "fish", "powershell", "zsh")]
        names += ["man/risk-cli.1", "man/risk-cli-play.1"]
        for name in names:
            (inside / name).parent.mkdir(parents=True, exist_ok=True)
            (inside / name).write_text(name)
        script = "set -euo pipefail; . target/packaging/PKGBUILD; package"
        folders = {"srcdir": str(self.root / "src"), "pkgdir": str(self.root / "pkg"), "CARCH": "x86_64"}
        subprocess.run(["bash", "-c", script], cwd=self.root, env=os.environ | folders, check=True)
        installed = [path for path in (self.root / "pkg").rglob("*") if path.is_file()]
        # Scripts for PowerShell have no place on Arch Linux.
        self.assertEqual({path.read_text() for path in installed}, set(names) - {"completions/risk-cli.powershell"})
        self.assertTrue(os.access(self.root / "pkg/usr/bin/risk-cli", os.X_OK))

    def test_sums_that_can_not_be_used(self):
        folder = self.archives()
        self.fill(ADDRESS)
        name = ARCHIVES[0]
        path = folder / f"{name}.sha256"
        text = path.read_text()
        for after in ("", "0" * 63 + f"  {name}\n", text.replace(name, ARCHIVES[1]), text + text, text.upper(), "\xff\n"):
            with self.subTest(after=after):
                path.write_text(after)
                self.refused(f"{name}.sha256: one line with the SHA-256", "--sums", str(folder))
        path.write_text("0" * 64 + f"  {name}\n")
        self.refused("beside it has another checksum", "--sums", str(folder))
        path.unlink()
        self.refused(f"lacks {name}.sha256", "--sums", str(folder))
        path.write_text(text)
        old = folder / name.replace(VERSION, "0.0.9")
        old.with_name(old.name + ".sha256").write_text("0" * 64 + f"  {old.name}\n")
        self.refused(f"no archive of risk-cli {VERSION}", "--sums", str(folder))
        for wrong in ("", "nowhere", "Cargo.toml"):
            self.refused("is not a folder", "--sums", wrong)


if __name__ == "__main__":
    unittest.main()
