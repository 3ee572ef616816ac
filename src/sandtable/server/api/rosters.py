"""Rosters over HTTP: what there is to buy, and what a roster comes to."""

from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from sandtable.forces.roster import Offer
from sandtable.server.api.bodies import FormSent, RosterChecked, TextSent
from sandtable.server.api.problems import PROBLEMS
from sandtable.server.api.rulesets import Anyone, RulesetName, reading, sent
from sandtable.server.processes.readings import CheckRoster, WriteRoster
from sandtable.server.rosters import offer_of


@get("/api/rulesets/{name:str}/roster", tags=["rosters"], responses=PROBLEMS)
async def roster_offer(state: State, name: RulesetName) -> Offer:
    """What may be bought: models, upgrades and extras by the ids of their cards, and the kinds of units."""
    return await reading(state, name, lambda hall: offer_of(hall.library, name))


@post("/api/rulesets/{name:str}/rosters/check", tags=["rosters"], status_code=200, responses=PROBLEMS)
async def check_roster(request: Anyone, name: RulesetName, data: JSONBody[TextSent]) -> RosterChecked:
    """Read the text of a roster file: its points, and what the rules say of it."""
    return await sent(request, name, CheckRoster(name, data.text), RosterChecked)


@post("/api/rulesets/{name:str}/rosters/write", tags=["rosters"], status_code=200, responses=PROBLEMS)
async def write_roster(request: Anyone, name: RulesetName, data: JSONBody[FormSent]) -> RosterChecked:
    """Write the form of a roster as a file, and check it."""
    return await sent(request, name, WriteRoster(name, data.form), RosterChecked)


HANDLERS = [roster_offer, check_roster, write_roster]
