"""The application of a worker process, set by the environment alone: ``tianxia.web.worker:app``."""

from __future__ import annotations

from tianxia.kernel import mode

mode.interpret()  # before anything imports rules

from tianxia.web.app import from_environment  # noqa: E402

app = from_environment()
