"""The annotators' page: forms, one small script, right-to-left where the language is.

`server.create_app` makes the application; `serve.serve` runs it.
"""
