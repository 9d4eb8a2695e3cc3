"""What is in `deploy/` names files, settings and commands that there are, and keeps its promises.

No Docker engine is needed: nothing is started here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from tianxia.cli import app
from tianxia.tables.store import BACKUPS
from tianxia.web.middleware import LARGEST_BODY
from tianxia.web.settings import Settings, SettingsError, variable

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
PAGE = ROOT / "docs" / "server.md"
SETTINGS = {variable(name) for name in Settings.__dataclass_fields__} | {BACKUPS, "TIANXIA_HOME"}
COMMANDS = set(getattr(get_command(app), "commands", {}))
OPERATING = PAGE.read_text(encoding="utf-8").split("\n## ")[1]
"""How a public server is set up and looked after."""
OURS = ("web", "minds", "backup")


def text(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text("compose.yaml"))["services"]
    return found


def test_every_setting_is_on_the_page_and_there_is_no_other() -> None:
    table = PAGE.read_text(encoding="utf-8").split("## Settings")[1].split("\n## ")[0]
    assert set(re.findall(r"`(TIANXIA_[A-Z_]+)`", table)) == SETTINGS


@pytest.mark.parametrize(
    "file",
    ["compose.yaml", "Dockerfile", "tianxia.service", "tianxia-backup.service", "tianxia-run"],
)
def test_settings_are_those_that_there_are(file: str) -> None:
    assert set(re.findall(r"TIANXIA_[A-Z_]+", text(file))) <= SETTINGS
    assert set(re.findall(r"^(TIANXIA_[A-Z_]+)=", OPERATING, re.MULTILINE)) <= SETTINGS


def test_commands_are_those_that_there_are() -> None:
    named = set(re.findall(r"(?:bin/|RUN |\"|\[)tianxia[\",]* ?\"?([a-z]+)", text("Dockerfile")))
    named |= {service["command"][1] for name, service in services().items() if name in OURS[1:]}
    for unit in DEPLOY.glob("*.service"):
        named |= set(re.findall(r"bin/tianxia (\w+)", unit.read_text(encoding="utf-8")))
    shown = re.findall(
        r"tianxia-run ([a-z]+)|(?:exec|--no-deps) [a-z]+ tianxia ([a-z]+)", OPERATING
    )
    assert {own or inside for own, inside in shown} >= {"prepare", "backup", "restore", "admin"}
    named |= {own or inside for own, inside in shown}
    assert {"serve", "prepare", "think", "backup"} <= named
    assert named <= COMMANDS


def test_the_image_is_slim_and_nobody_in_particular() -> None:
    lines = text("Dockerfile").splitlines()
    assert [line for line in lines if line.startswith("FROM ")][-1].endswith("-slim")
    place = lines.index("USER tianxia")
    assert lines.index("RUN tianxia prepare") > place  # by who will read it
    assert not any(line.startswith("USER") for line in lines[place + 1 :])
    for source in re.findall(r"^COPY (?!--)(.+) \S+$", text("Dockerfile"), re.MULTILINE):
        for name in source.split():
            assert (ROOT / name).exists(), name
            assert f"!{name}" in text("Dockerfile.dockerignore").splitlines()
    uv = re.search(r'UV_VERSION = "(.+?)"', (ROOT / "run.py").read_text(encoding="utf-8"))
    assert uv is not None
    assert f"uv=={uv[1]}" in text("Dockerfile")
    assert set(re.findall(r"uv==[0-9.]+[0-9]", OPERATING)) == {f"uv=={uv[1]}"}


def test_containers_are_watched_and_can_write_only_what_they_must() -> None:
    found = services()
    assert set(found) == {*OURS, "database", "proxy"}
    for name in OURS:
        service = found[name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["tmpfs"]
    assert all(service["restart"] == "unless-stopped" for service in found.values())
    assert found["web"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert "healthcheck" in found["database"]
    assert "HEALTHCHECK" in text("Dockerfile")
    assert [name for name, service in found.items() if "ports" in service] == ["proxy"]
    assert {"--every", "--keep"} <= set(found["backup"]["command"])
    volumes = yaml.safe_load(text("compose.yaml"))["volumes"]
    used = {volume.partition(":")[0] for one in found.values() for volume in one.get("volumes", ())}
    assert {name for name in used if not name.startswith(".")} == set(volumes)


def test_what_the_environment_file_asks_for_is_used() -> None:
    asked = set(re.findall(r"^([A-Z_]+)=", text("example.env"), re.MULTILINE))
    used = set(re.findall(r"\$\{([A-Z_]+)", text("compose.yaml")))
    assert asked == used


def test_all_files_are_installed_with_the_same_locked_packages() -> None:
    installed = set(re.findall(r"deploy/([\w.-]+)", OPERATING))
    assert installed == {path.name for path in DEPLOY.glob("tianxia*")} | {"Caddyfile"}
    locked = "uv sync --locked --no-default-groups --extra postgres --no-editable"
    assert OPERATING.count(locked) == OPERATING.count("uv sync") == 2  # at first, and to upgrade
    assert OPERATING.count("--reinstall-package tianxia") == 2  # else uv keeps the older one
    assert locked in text("Dockerfile")


def test_workers_count_together_in_a_folder_that_is_empty_at_each_start() -> None:
    web = services()["web"]
    folder = web["environment"]["PROMETHEUS_MULTIPROC_DIR"]
    assert any(one.startswith(f"{folder}:") for one in web["tmpfs"])
    assert f"PROMETHEUS_MULTIPROC_DIR={folder}\n" in text("tianxia.service")
    assert f"RuntimeDirectory={Path(folder).name}\n" in text("tianxia.service")


def test_copies_made_before_migrations_lie_where_backups_are_restored() -> None:
    web, backup = services()["web"], services()["backup"]
    folder = web["environment"][BACKUPS]
    assert f"backups:{folder}" in web["volumes"]
    assert f"backups:{folder}" in backup["volumes"]
    assert folder in backup["command"]


def test_a_wrong_setting_is_not_tried_again_for_ever() -> None:
    unit = dict(re.findall(r"^(\w+)=(.+)$", text("tianxia.service"), re.MULTILINE))
    assert unit["Restart"] == "always"
    assert unit["RestartPreventExitStatus"] == str(SettingsError.exit_status)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_commands_run_as_the_service_does(tmp_path: Path) -> None:
    fake = tmp_path / "systemd-run"
    fake.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\"\nexit 7\n", encoding="utf-8")
    fake.chmod(0o755)
    done = subprocess.run(
        [DEPLOY / "tianxia-run", "admin", "promote", "Ann B"],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    given = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (7, "")
    assert given[-4:] == ["/opt/tianxia/bin/tianxia", "admin", "promote", "Ann B"]
    assert "--pipe" in given  # there is no terminal
    unit = dict(re.findall(r"^(\w+)=(.+)$", text("tianxia.service"), re.MULTILINE))
    assert unit["ExecStart"].startswith(f"{given[-4]} ")
    assert f"--uid={unit['User']}" in given
    for name in ("EnvironmentFile", "CacheDirectory", "StateDirectoryMode", "UMask"):
        assert f"--property={name}={unit[name]}" in given
    for variable_set in re.findall(r"((?:TIANXIA|NUMBA)_[A-Z_]+=\S+)", text("tianxia.service")):
        assert f"--setenv={variable_set}" in given


def test_the_proxy_has_times_and_sizes() -> None:
    caddy = text("Caddyfile")
    assert all(word in caddy for word in ("read_header", "read_body", "{$DOMAIN}"))
    assert f"max_size {LARGEST_BODY // 1024}KiB\n" in caddy


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd on this machine")
@pytest.mark.parametrize("unit", sorted(path.name for path in DEPLOY.glob("tianxia*.*")))
def test_units_are_in_order(unit: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(DEPLOY / unit)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    wrong = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert wrong == []


FAKE_UV = """#!/bin/sh
case "$1" in export) exit 0 ;; esac
echo "$SAYS"
exit "$STATUS"
"""
FOUND = "Found 2 known vulnerabilities in 1 package"


@pytest.mark.parametrize(
    ("says", "status", "strict", "code"),
    [
        ("No known vulnerabilities found", "0", False, 0),
        (FOUND, "1", False, 1),
        ("ERROR: Connection refused", "1", False, 0),
        ("ERROR: Connection refused", "1", True, 1),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_known_holes_fail_and_a_network_that_is_away_does_not(
    says: str, status: str, strict: bool, code: int, tmp_path: Path
) -> None:
    tools, ci = tmp_path / ".tools" / "uv-1", tmp_path / ".ci"
    tools.mkdir(parents=True)
    ci.mkdir()
    (tools / "uv").write_text(FAKE_UV, encoding="utf-8")
    (tools / "uv").chmod(0o755)
    shutil.copy(ROOT / ".ci" / "audit", ci / "audit")
    done = subprocess.run(
        [ci / "audit", *(["--strict"] if strict else [])],
        env={**os.environ, "SAYS": says, "STATUS": status},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, says in done.stdout) == (code, True)
    assert ("nothing was checked" in done.stdout) == (status == "1" and code == 0)
