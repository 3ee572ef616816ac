"""What the two editions of CAV: Strike Operations share: procedure and arithmetic, and no number of its own.

Where the editions differ, a class here has a field for it, and an edition makes one object of that class with its own
signs, yardsticks, tables and rules. Nothing here knows which edition asks. It has no ledger, so it is no ruleset.

concepts   bases, centres, who touches whom
dice       target-point rolls, and where a situation modifier goes
datacard   columns of a damage track, weapon systems, ratings of special abilities
movement   what an inch and a turn cost, how far a walk leads
states     states that pass with an activation
damage     rows of a damage table, noted harm, pilot checks
repair     the Repair Action
shooting   range bands, hits and what they come to
indirect   areas, drift, fumbled strike-points
sight      firing arcs, torso twists, cover by height
turn       whose card comes up
setup      starting edges
previews   walks before they are gone
"""
