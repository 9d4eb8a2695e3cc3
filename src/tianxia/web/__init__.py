"""Pages, live pushes and the JSON API: it knows no game, and sends nobody what is hidden from him.

`tianxia.web.app.create_app` makes the application, `tianxia.web.serve.serve` runs it.
"""

import sys

# FastAPI would load the whole of pydantic's old interface (a megabyte), only to refuse its models.
sys.modules.setdefault("pydantic.v1", None)  # type: ignore[arg-type]
