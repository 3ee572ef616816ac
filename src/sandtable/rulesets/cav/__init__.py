"""What the two editions of CAV: Strike Operations share: procedure and arithmetic, and no number of its own.

Where the editions differ, a class here has a field for it, and an edition makes one object of that class with its own
signs, yardsticks, tables and rules. Nothing here knows which edition asks. It has no ledger, so it is no ruleset.

dice       target-point rolls, and where a situation modifier goes
datacard   columns of a damage track, weapon systems, ratings of special abilities
states     states that pass with an activation
damage     rows of a damage table, noted harm, pilot checks
repair     the Repair Action
shooting   range bands, hits and what they come to
sight      firing arcs, torso twists, cover by height
turn       whose card comes up
"""
