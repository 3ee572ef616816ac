"""The HTTP API, described: OpenAPI for programs, a page of it for people; whole, with security, limits and errors."""

import re
from html import escape
from typing import Any

from litestar import Litestar, MediaType, Request, get
from litestar.response import Response

from sandtable.server.api.bodies import Problem
from sandtable.server.settings import Limits

#: What every operation may answer instead of what was asked for.
_ERRORS = {
    "400": "What was sent is not what this takes.",
    "404": "There is no such thing, or none for you.",
    "409": "It cannot be done as things stand.",
    "422": "A file, a form or a name that is wrong; `words` says what and where.",
    "429": "Too much of it. Wait as many seconds as `Retry-After` says.",
    "500": "The program went wrong. Nothing has changed.",
    "503": "Storage does not answer.",
}
#: Paths under which a link's token is needed.
_LINKED = "/api/battles/{battle}"
_ABOUT = (
    "Rulesets, scenarios, rosters and battles over HTTP; the battle itself is played over the socket at `/api/table`, "
    "whose messages `/api/socket-schema` describes. Whoever holds a link sits where it says: send its token "
    "as `Authorization: Bearer TOKEN`. {limits}"
)


def _limits(limits: Limits) -> str:
    """What one address may send, in words: what goes beyond is answered with 429."""
    return (
        f"One address may send {limits.requests_at_once:.0f} requests at once and "
        f"{limits.requests_per_second:.0f} a second after that, begin {limits.battles_at_once:.0f} battles at once and "
        f"{limits.battles_per_hour:.0f} an hour after that; what goes beyond is answered with 429 and `Retry-After`, "
        "in seconds."
    )


def description(app: Litestar) -> dict[str, Any]:
    """The OpenAPI document of an application."""
    found: dict[str, Any] = app.openapi_schema.to_schema()
    found["info"]["description"] = _ABOUT.format(limits=_limits(app.state.hall.limits))
    parts = found.setdefault("components", {})
    parts["securitySchemes"] = {"link": {"type": "http", "scheme": "bearer", "description": "The token of a link."}}
    fields = {name: {"type": "string"} for name in Problem.__struct_fields__}
    problem = {"type": "object", "title": "Problem", "properties": fields, "required": list(fields)}
    parts.setdefault("schemas", {}).setdefault("Problem", problem)
    for path, operations in found["paths"].items():
        for operation in operations.values():
            if path.startswith(_LINKED):
                operation["security"] = [{"link": []}]
            answers = operation["responses"]
            for status, words in _ERRORS.items():
                answers.setdefault(status, _error(words))
            waits = {"description": "Seconds to wait.", "schema": {"type": "integer"}}
            answers["429"].setdefault("headers", {})["Retry-After"] = waits
    return found


def _error(words: str) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}


@get("/schema/openapi.json", include_in_schema=False)
async def as_json(request: Request[Any, Any, Any]) -> Response[Any]:
    """The description, for programs."""
    return Response(description(request.app), media_type=MediaType.JSON)


@get("/schema", include_in_schema=False)
async def as_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The description, for people: a page that needs no script and nothing from elsewhere."""
    return Response(page_of(description(request.app)), media_type=MediaType.HTML)


def page_of(found: dict[str, Any]) -> str:
    """An OpenAPI document as a page."""
    tags: dict[str, list[str]] = {}
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            tags.setdefault(operation.get("tags", ["server"])[0], []).append(_operation(method, path, operation))
    chapters = "".join(f'<h2 id="{escape(tag)}">{escape(tag)}</h2>{"".join(said)}' for tag, said in tags.items())
    ways = "".join(f'<li><a href="#{escape(tag)}">{escape(tag)}</a></li>' for tag in tags)
    shapes = "".join(_shape(name, shape) for name, shape in sorted(found["components"]["schemas"].items()))
    info = found["info"]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>The API of {escape(info['title'])}</title>"
        '<link rel="stylesheet" href="/css/page.css"><link rel="stylesheet" href="/css/reading.css"></head>'
        '<body><main class="reading api">'
        f"<h1>The API of {escape(info['title'])} {escape(info['version'])}</h1><p>{_marked(info['description'])}</p>"
        '<p><a href="/schema/openapi.json">For programs</a>, <a href="/api/socket-schema">the socket</a></p>'
        f'<nav aria-label="Chapters"><ul>{ways}<li><a href="#what-is-sent">what is sent</a></li></ul></nav>'
        f'{chapters}<h2 id="what-is-sent">what is sent</h2>{shapes}</main></body></html>'
    )


def _marked(words: str) -> str:
    """Words in which code stands between backticks.

    >>> _marked("a token, `Bearer <it>`")
    'a token, <code>Bearer &lt;it&gt;</code>'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(words))


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    """One thing that can be asked for."""
    asked = [
        f"<li><code>{escape(one['name'])}</code> in the {escape(one['in'])}{', needed' if one.get('required') else ''}"
        f"{': ' + _marked(one['description']) if one.get('description') else ''}</li>"
        for one in operation.get("parameters", ())
    ]
    body = operation.get("requestBody", {}).get("content", {})
    asked += [f"<li>the body: {_kind(one.get('schema', {}))}</li>" for one in body.values()]
    answers = [
        f"<li><b>{escape(status)}</b> {_marked(answer.get('description', ''))} "
        f"{' '.join(_kind(one.get('schema', {})) for one in answer.get('content', {}).values())}</li>"
        for status, answer in operation["responses"].items()
    ]
    words = operation.get("description") or operation.get("summary") or ""
    key = "<p>Needs the token of a link.</p>" if operation.get("security") else ""
    return (
        f"<section><h3><code>{escape(method.upper())} {escape(path)}</code></h3><p>{_marked(words)}</p>{key}"
        f"<ul>{''.join(asked)}</ul><details><summary>Answers</summary><ul>{''.join(answers)}</ul></details></section>"
    )


def _kind(schema: dict[str, Any]) -> str:
    """What a schema is, in a word or a link."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f'<a href="#{escape(name)}">{escape(name)}</a>'
    for many in ("oneOf", "anyOf"):
        if many in schema:
            return " or ".join(_kind(one) for one in schema[many])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    named = schema.get("type", "anything")
    return escape(", ".join(named) if isinstance(named, list) else str(named))


def _shape(name: str, schema: dict[str, Any]) -> str:
    """A shape of data, field by field."""
    needed = set(schema.get("required", ()))
    rows = "".join(
        f"<dt><code>{escape(field)}</code>{'' if field in needed else ' (may be left out)'}</dt>"
        f"<dd>{_kind(one)} {_marked(one.get('description', ''))}</dd>"
        for field, one in schema.get("properties", {}).items()
    )
    words = _marked(schema.get("description", ""))
    return f'<section id="{escape(name)}"><h3>{escape(name)}</h3><p>{words}</p><dl class="data">{rows}</dl></section>'
