"""The ids of the environments in Gymnasium's registry."""

from .tasks import TASKS

#: The rulesets with a registered environment: `risk/hasbro-v0` and so on.
RULESETS = (
    "codelab",
    "hasbro",
    "missions",
    "simplified",
    "starwars",
    "syncs2024",
    "teams",
    "warlight1",
    "warlight2",
    "warzone",
)


def register() -> None:
    """Register `risk/hasbro-v0`, the tasks and the others; `import risk_cli` does it."""
    from gymnasium.envs import registration

    for ruleset in RULESETS:
        name = f"risk/{ruleset}-v0"
        if name not in registration.registry:
            registration.register(
                id=name,
                entry_point="risk_cli.gym:RiskEnv",
                vector_entry_point="risk_cli.vector:RiskVectorEnv",
                kwargs={"ruleset": ruleset},
            )
    for task in TASKS.values():
        if task.name not in registration.registry:
            registration.register(
                id=task.name,
                entry_point="risk_cli.gym:RiskEnv",
                vector_entry_point="risk_cli.vector:RiskVectorEnv",
                kwargs=task.settings(),
            )


def register_if_possible() -> None:
    """Register the environments unless Gymnasium is missing, too old or broken."""
    try:
        register()
    except Exception:
        # The games need no Gymnasium. `import risk_cli.gym` shows what is wrong with it.
        pass
