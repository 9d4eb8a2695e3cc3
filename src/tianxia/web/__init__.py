"""Pages, live pushes and the JSON API: it knows no game, and sends nobody what is hidden from him.

`tianxia.web.app.create_app` makes the application, `tianxia.web.serve.serve` runs it.
"""
