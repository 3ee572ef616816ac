"""The names of what a model may do, what it may be, until when, and of what is counted on it."""

from enum import StrEnum


class ActionName(StrEnum):
    """An action that a model may declare, or that it declares nothing more."""

    GO_PRONE = "go-prone"
    MOVE = "move"
    NOTHING = "nothing"
    OVERWATCH = "overwatch"
    REGROUP = "regroup"
    REPAIR = "repair"
    RUN_N_GUN = "run-n-gun"
    SHOOT = "shoot"
    SPECIAL = "special"
    STAND_UP = "stand-up"
    STOMP = "stomp"
    TARGET_LOCK = "target-lock"


class StateName(StrEnum):
    """A state of a model, a squad or a side."""

    ABANDONED = "abandoned"
    ACTIVATED = "activated"
    ARRIVING = "arriving"
    ASSIGNED = "assigned card"
    ATTACHED = "attached"
    ATTACKER = "attacker"
    BURNING = "burning"
    DEFENDED = "defended"
    DOUBLE_TIME = "double-time"
    EDGE = "edge"
    HACKED = "hacked"
    HULL_DOWN = "hull-down"
    JAMMED = "jammed"
    KNOCKDOWN = "knockdown"
    LEFT = "left over"
    MISSION_KILL = "mission-kill"
    OUT_OF_ACTION = "out of action"
    OVERHEATED = "overheated"
    OVERWATCH = "overwatch"
    OVERLOADED = "overloaded"
    SKIPPED = "skipped"
    SQUAD_TYPE = "squad type"
    RAISED = "raised"
    SMALL_BOARD = "small board"
    STATIONARY = "stationary"
    STRIKE_POINT = "strike-point"
    STUNNED = "stunned"
    SUPPRESSED = "suppressed"
    TARGET_LOCK = "target-lock"
    TURNS_SHOWN = "turns shown"
    UNDER_WATER = "under water"
    UNHARMED_BEFORE = "unharmed before"


class CountName(StrEnum):
    """What is counted on a model or a side."""

    AMMO_BIN = "ammo bin"
    AP = "AP"
    C3 = "C3"
    BONUS_CARDS = "bonus cards"
    BREEDER_DAMAGED = "breeder damaged"
    BREEDER_DESTROYED = "breeder destroyed"
    DRIVE_CRIPPLED = "drive crippled"
    DRIVE_DAMAGED = "drive damaged"
    FUMBLES = "fumbles"
    INCHES = "inches moved"
    LAST_TURN = "last turn"
    MOVED = "moved"
    REPAIRED = "repaired this activation"
    TARGETING_DESTROYED = "targeting destroyed"
    WEAPONS_CRIPPLED = "weapons crippled"
    WEAPONS_DAMAGED = "weapons damaged"


class Until(StrEnum):
    """Until when a state lasts."""

    ACTS_OTHERWISE = "it acts otherwise"
    ARRIVES = "it arrives"
    END_OF_ACTIVATION = "the end of the activation"
    END_OF_TURN = "end of turn"
    GAME = "game"
    ITS_ATTACK = "its attack is over"
    MOVES = "it moves"
    NEXT_ACTIVATION = "its next activation begins"
    NEXT_ACTIVATION_WITHOUT = "it moves, or does not fire there again"
    STANDS_UP = "it stands up"
    END_OF_NEXT_ACTIVATION = "the end of its next activation"
