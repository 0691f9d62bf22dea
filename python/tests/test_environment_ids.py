"""The environments' ids, after nothing but `import risk_cli`."""

import os
import subprocess
import sys

import gymnasium
import pytest
from common import RULESETS
from risk_cli import gym

#: What may be in the place of Gymnasium.
BROKEN = {
    "missing": None,
    "without a registry": "",
    "old": "__version__ = '0.21.0'\nfrom . import envs",
    "broken": "raise RuntimeError('built for another NumPy')",
}


def run(code, *first):
    path = os.pathsep.join([*first, *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "imports", ["import gymnasium, risk_cli", "import risk_cli, gymnasium"]
)
def test_the_import_registers_the_ids(imports):
    told = run(
        f"{imports}\n"
        "env = gymnasium.make('risk/codelab-v0', opponents='holder')\n"
        "env.reset(seed=1)\n"
        "print(type(env.unwrapped).__name__)\n"
        "envs = gymnasium.make_vec('risk/codelab-v0', num_envs=2)\n"
        "print(type(envs.unwrapped).__name__)\n"
    )
    assert told.split() == ["RiskEnv", "RiskVectorEnv"]


def test_the_import_loads_no_environment():
    assert run("import sys, risk_cli\nprint('risk_cli.gym' in sys.modules)") == "False\n"


@pytest.mark.parametrize("state", BROKEN)
def test_the_games_need_no_gymnasium(state, tmp_path):
    begin = "import sys\nsys.modules['gymnasium'] = None\n"
    if BROKEN[state] is not None:
        begin = ""
        folder = tmp_path / "gymnasium"
        (folder / "envs").mkdir(parents=True)
        (folder / "__init__.py").write_text(BROKEN[state])
        # An old registry, which knows no environments of many games.
        (folder / "envs" / "__init__.py").write_text("")
        (folder / "envs" / "registration.py").write_text(
            "registry = {}\ndef register(id, entry_point): registry[id] = entry_point\n"
            if state == "old"
            else "raise ImportError"
        )
    told = run(f"{begin}import risk_cli\nprint(risk_cli.Game('codelab').players)", str(tmp_path))
    assert told == "2\n"


def test_every_ruleset_has_an_id():
    assert gym.RULESETS == RULESETS
    gym.register()
    for ruleset in RULESETS:
        assert gymnasium.spec(f"risk/{ruleset}-v0").kwargs == {"ruleset": ruleset}
