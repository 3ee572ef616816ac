"""The tests; `tests.conftest.needs` says which programs a test cannot do without."""
