#!/usr/bin/env python3
"""A whole bot: it fires where it may, walks towards the enemy, and gives any lawful answer else."""

import json
import random
import sys


def told():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()


def say(**message):
    print(json.dumps(message), flush=True)


def tried(**draft):
    say(say="draft", **draft)
    return told()


def guess(question, things):
    """Any answer to a question; whether it is lawful, the verdict says."""
    kind, options = question["kind"], [one for one in question.get("options", ()) if not one.get("refused")]
    if kind == "choose one":
        wanted = [one["id"] for one in options if one["id"] in ("shoot", "fire")]
        return wanted[0] if wanted else dice.choice(options)["id"]
    if kind == "choose several":
        return [one["id"] for one in options][: question["at_most"] or len(options)]
    if kind == "confirm":
        return dice.choice([True, False])
    if kind == "react":
        return {"option": options[0]["id"], "amount": options[0]["amount_least"]}
    if kind == "move":
        foes = [one["place"]["point"] for one in things if one["side"] != side and one["place"]["place"] == "at"]
        legs = [{"by": "leg", "turn": dice.randint(-90, 90), "go": 5000}]
        if not question["faces"]:
            legs = [{"by": "via", "point": dice.choice(foes) if foes else [0, 0]}]
        return {model: {"legs": legs} for model in question["models"]}
    if kind == "place" and not question["default"]:
        shape = next(iter(question["where"].values()))["inside"][0]
        corners = shape.get("points") or [[n + way * shape["radius"] for n in shape["center"]] for way in (-1, 1)]
        point = [dice.randint(min(column), max(column)) for column in zip(*corners, strict=True)]
        return {one: {"where": {"place": "at", "point": point}, "facing": 0} for one in question["things"]}
    return question["default"]


def planned(parts, things):
    """A plan, part by part, until all that is needed is said."""
    plan = {}
    while part := next((one for one in parts if not one["optional"]), None if plan else parts[0]):
        plan[part["id"]] = guess(part["question"], things)
        parts = tried(answer=plan)["parts"] or []
    return plan


sit = told()
side, dice = sit["side"], random.Random(sit["seed"])
asked = {}
while message := told():
    asked = message if message["tell"] == "question" else asked  # else its answer was refused: think again
    question, things, answer = asked["question"], asked["view"]["things"].values(), None
    for _ in range(50):
        draft = planned(asked["parts"], things) if question["kind"] == "plan" else guess(question, things)
        verdict = tried(answer=draft)
        answer = verdict.get("clipped") or (None if verdict["refusal"] else draft)
        if answer is not None:
            break
    say(say="answer", answer=answer, reason="it seemed a good idea")
