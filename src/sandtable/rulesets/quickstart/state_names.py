"""The names of what a model may do, what it may be, until when, and of what is counted on it."""

from enum import StrEnum


class ActionName(StrEnum):
    """An action that a model may declare, or that it declares nothing more."""

    BREAK = "break"
    CLOSE_COMBAT = "close-combat"
    FACING_CHANGE = "facing-change"
    GO_PRONE = "go-prone"
    MOVE = "move"
    NOTHING = "nothing"
    OVER_WATCH = "over-watch"
    REPAIR = "repair"
    RUN_N_GUN = "run-n-gun"
    SHOOT = "shoot"
    STAND_UP = "stand-up"
    STAY = "stay"
    TARGET_LOCK = "target-lock"
    TORSO_TWIST = "torso-twist"


class StateName(StrEnum):
    """A state of a model, or of a side."""

    ABANDONED = "abandoned"
    ACTIVATED = "activated"
    DEFENDED = "has defended"
    DISABLED = "disabled"
    EDGE = "edge"
    FAILED_BREAK = "failed break"
    FIRED_FROM_OVER_WATCH = "has fired from over-watch"
    IMMOBILE = "immobile"
    IN_FLIGHT = "in flight"
    KNOCKDOWN = "knockdown"
    LOCKED = "locked"
    MISSION_KILL = "mission-kill"
    OUT_OF_AMMO = "out of ammo"
    OVER_WATCH = "over-watch"
    RETREATING = "retreating"
    STRIKE_POINT = "strike-point"
    STUNNED = "stunned"
    SUPPRESSED = "suppressed"
    TARGET_LOCK = "target-lock"
    TWISTED = "twisted"


class CountName(StrEnum):
    """What is counted on a model."""

    AMMO_BIN = "ammo bin"
    AP = "AP"
    LEGS_CRIPPLED = "legs crippled"
    LEGS_DAMAGED = "legs damaged"
    TARGETING_DAMAGED = "targeting damaged"
    TORSO_TWIST = "torso twist"
    WEAPONS_CRIPPLED = "weapons crippled"
    WEAPONS_DAMAGED = "weapons damaged"


class Until(StrEnum):
    """Until when a state lasts; what the ledger says of some is read there."""

    END_OF_ASSAULT = "end of the assault"
    END_OF_TURN = "end of turn"
    GAME = "game"
    IT_ACTS_OTHERWISE = "it acts otherwise"
    IT_BREAKS_AWAY = "it breaks away"
    IT_CAN_MOVE = "its MV is more than 0"
    IT_MOVES_OR_FIRES_ELSEWHERE = "it moves or fires elsewhere"
    NEXT_ACTIVATION = "its next activation begins"
    NEXT_END_PHASE = "the next End Phase"
