"""The application: routes, errors, the page, and how it is run."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import msgspec
from litestar import Litestar, Request, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.response import Response
from sqlalchemy.exc import SQLAlchemyError

from sandtable import __version__
from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.forces.files import FileError
from sandtable.server.api import battles as api_battles
from sandtable.server.api import rosters as api_rosters
from sandtable.server.api import rulesets as api_rulesets
from sandtable.server.api.bodies import Health, Problem
from sandtable.server.api.description import as_json, as_page
from sandtable.server.api.guard import RETRY_AFTER, Addresses, ASGIApp, Guard, TooSlow
from sandtable.server.api.page_files import PageFiles
from sandtable.server.api.problems import PROBLEMS
from sandtable.server.hall import Hall
from sandtable.server.live import OTHER_RULES, Trouble
from sandtable.server.seats.messages import socket_schema
from sandtable.server.seats.sockets import chat_teller, socket_handler
from sandtable.server.settings import Settings
from sandtable.server.unlawful import Unlawful

log = logging.getLogger("sandtable.server")


@get("/health", tags=["server"], responses={503: ResponseSpec(Health, description="Storage does not answer")})
async def health(state: State) -> Response[Health]:
    """Whether storage answers."""
    hall: Hall = state.hall
    answers = await hall.storage.answers()
    kind = "SQLite" if hall.storage.sqlite else "PostgreSQL"
    return Response(Health(answers, __version__, kind), status_code=200 if answers else 503)


@get("/api/socket-schema", tags=["server"], responses=PROBLEMS)
async def schema_of_socket() -> dict[str, Any]:
    """The JSON Schema of the socket's messages."""
    return socket_schema()


def make_app(settings: Settings) -> Litestar:
    """The application for some settings; it opens storage when it is started."""
    addresses = Addresses(settings.limits)

    @asynccontextmanager
    async def open_hall(app: Litestar) -> AsyncIterator[None]:
        hall = Hall(settings)
        hall.on_chat = chat_teller(hall)
        app.state.hall = hall
        await hall.open()
        try:
            yield
        finally:
            await hall.close()

    handlers = [*api_rulesets.HANDLERS, *api_rosters.HANDLERS, *api_battles.HANDLERS, as_json, as_page]
    return Litestar(
        [health, schema_of_socket, socket_handler, *handlers],
        lifespan=[open_hall],
        state=State({"addresses": addresses}),
        exception_handlers={
            Unlawful: _unlawful,
            FileError: _wrong_file,
            JournalError: _other_rules,
            JournalDiverged: _other_rules,
            SQLAlchemyError: _no_storage,
            Trouble: _trouble,
            TooSlow: _too_slow,
            HTTPException: _http,
            Exception: _our_fault,
        },
        openapi_config=OpenAPIConfig(
            "Sandtable",
            __version__,
            path="/schema/plain",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            use_handler_docstrings=True,
        ),
        request_max_body_size=settings.limits.body_bytes,
        logging_config=None,  # ours is Python's own; Litestar's leaves a thread behind with every server that stops
    )


def guarded(settings: Settings) -> Guard:
    """The application as it is served."""
    app = make_app(settings)
    folder = Path(settings.page) if settings.page else Path(str(files("sandtable") / "page"))
    page = PageFiles(cast(ASGIApp, app), folder)
    return Guard(page, settings, app.state.addresses, page.has)


def _problem(status: int, why: str, words: str) -> Response[Any]:
    wait = {"retry-after": RETRY_AFTER} if status == 429 else {}
    return Response(Problem(why, words[:2000]), status_code=status, media_type="application/json", headers=wait)


def _unlawful(_: Request[Any, Any, Any], problem: Unlawful) -> Response[Any]:
    return _problem(problem.status, problem.why, problem.words)


def _wrong_file(_: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    return _problem(422, "file", str(problem))


def _other_rules(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    """A stored battle does not play again: its own words may hold its secrets, so they are for the log."""
    log.warning("%s: %s", request.url.path, problem)
    return _problem(409, "trouble", OTHER_RULES)


def _trouble(_: Request[Any, Any, Any], problem: Trouble) -> Response[Any]:
    return _problem(503, "trouble", str(problem))


def _no_storage(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    log.error("%s %s: storage does not answer", request.method, request.url.path, exc_info=problem)
    return _problem(503, "storage", "Storage does not answer; try again.")


def _too_slow(_: Request[Any, Any, Any], problem: TooSlow) -> Response[Any]:
    told = _problem(408, "limit", str(problem))
    told.headers["connection"] = "close"
    return told


def _http(_: Request[Any, Any, Any], problem: HTTPException) -> Response[Any]:
    details = problem.extra if isinstance(problem.extra, list) else []
    words = "; ".join(str(one.get("message", "")) for one in details if isinstance(one, dict)) or problem.detail
    return _problem(problem.status_code, "request", words or "That request is not served here.")


def _our_fault(request: Request[Any, Any, Any], problem: Exception) -> Response[Any]:
    if isinstance(problem, msgspec.DecodeError | RecursionError):
        return _problem(400, "request", "That is no body this server reads.")
    log.error("%s %s failed", request.method, request.url.path, exc_info=problem)
    return _problem(500, "trouble", "The server went wrong; it has noted where.")
