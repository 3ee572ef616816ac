"""The errors of the API, in the form they have: every answer that is none of those wanted is a `Problem`."""

from litestar.openapi.datastructures import ResponseSpec

from sandtable.server.api.bodies import Problem

_WORDS = {
    400: "What was sent is not what is asked for here",
    403: "Another site may not speak for a browser, or it can be had only when the battle is over",
    404: "There is no such thing, or not for whoever asks",
    408: "The request did not come whole in time",
    409: "It cannot be done with this battle, or on this board",
    413: "It is too much to send",
    415: "It is sent as something else than JSON",
    421: "This server does not go by that name",
    422: "A file is wrong, or takes too long to read: the words say which line, and what would do",
    429: "Too much of it from one address",
    500: "The server went wrong",
    503: "Storage does not answer, or too many are waiting",
}
#: What every handler may answer instead.
PROBLEMS = {
    status: ResponseSpec(Problem, description=words, generate_examples=False) for status, words in _WORDS.items()
}
