"""What every miniature game does, written once: a ruleset is built from this and names it, never the other way round.

chapters     what a chapter of the rules brings, and the moments at which chapters are heard
book         the chapters of a ruleset joined: the one object that a ruleset publishes
actions      what a unit may do, what it costs, and why not
checks       a roll before it falls: play, preview, odds and opponents read the same one
modifiers    the rows of a table of modifiers
previews     what an answer would bring, from checks and from exact odds
opening      from a scenario, a case or a roster to the first question
words        names, looks and phrases, read from the ruleset's `words.yaml`
case_words   what conformance cases may say
opponent     what a ruleset tells an opponent
"""
