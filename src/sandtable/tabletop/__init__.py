"""What every miniature game does, written once: a ruleset is built from this and names it, never the other way round.

chapters     what a chapter of the rules brings, and the moments at which chapters are heard
book         the chapters of a ruleset joined: the one object that a ruleset publishes
actions      what a unit may do, what it costs, and why not
checks       a roll before it falls: play, preview, odds and opponents read the same one
pools        several dice, each read by itself
modifiers    what changes a check: rows of a table, each with its rule
shots        one shot at one target, fire at those who walk, harm on a track
previews     what previews hold besides the dice: distances, lines of sight, several as one
choosing     choosing a thing of the table, judged and foretold by whom it is about
face_down    things of which only their owner knows what they are
hands        decks, and cards that only their side knows
opening      from a scenario or a case to the first question
rosters      bought forces, judged and brought
features     terrain that the sides lay, drawn by dice or shaped by them
states       states given, taken, and ended when their time is over
turns        whose turn it is: by a deck, by a roll, one after another
activations  sides that activate units one after another, and units that act as long as their actions last
walking      walking as far as is lawful, where turns and ground cost nothing
places       things that are put down, each where its question says
endings      how battles end
words        names, looks and phrases, read from the ruleset's `words.yaml`
case_words   what conformance cases may say
opponent     what a ruleset tells an opponent
weights      what the features of a position count, as data that can be learned
scouting     what tactics find out about a table: ways over it, spots to begin from, who sees whom
"""
