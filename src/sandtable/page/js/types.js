// The server's messages, as it sends and takes them. Written by tests/page/typedefs.py, which also checks it.

/** @typedef {[number, number]} Point */
/** @typedef {number | string | string[]} Value */
/** @typedef {{shape: "disc", center: Point, radius: number}} Disc */
/** @typedef {{shape: "polygon", points: Point[]}} Polygon */
/** @typedef {{shape: "band", points: Point[], width: number}} Band */
/** @typedef {{place: "at", point: Point, level: number}} At */
/** @typedef {{place: "in", holder: string, slot: string}} In */
/** @typedef {{place: "off", why: string}} Off */
/** @typedef {{event: "PhaseBegan", turn: number, phase: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} PhaseBegan */
/** @typedef {{event: "StepBegan", name: string, side?: string, units?: string[], n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} StepBegan */
/** @typedef {{event: "DeckChanged", deck: string, change: string, cards?: string[], n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} DeckChanged */
/** @typedef {{event: "Declared", actor: string, action: string, targets?: string[], tools?: string[], n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Declared */
/** @typedef {{event: "Spent", who: string, what: string, amount: number, left: number, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Spent */
/** @typedef {{event: "Passed", side: string, window: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Passed */
/** @typedef {{event: "Rolled", what: string, by?: string, dice?: string, faces?: number[], natural?: number, parts?: ExplainedPart[], total?: number, needs?: number | null, needs_parts?: ExplainedPart[], margin?: number | null, outcome?: string, replaces?: number, dice_parts?: ExplainedPart[], n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Rolled */
/** @typedef {{label: string, value: number, rule: string, known_to: string[]}} ExplainedPart */
/** @typedef {{event: "Moved", model: string, start: Place, to: Place, facing?: number, walk?: Walk | null, manner?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Moved */
/** @typedef {{legs: (Leg | Via | Slide)[], marks: Record<string, number>}} Walk */
/** @typedef {{by: "leg", turn: number, go: number}} Leg */
/** @typedef {{by: "via", point: Point, level: number}} Via */
/** @typedef {{by: "slide", turn: number, go: number, side: number}} Slide */
/** @typedef {{event: "Halted", model: string, along: number, at: Place, by?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Halted */
/** @typedef {{event: "Placed", thing: string, where: Place, facing?: number, made?: Thing | null, piece?: Piece | null, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Placed */
/** @typedef {{id: string, kind: string, side: string, label: string, card: string, glyph: string, base: Base | null, height: number, place: Place, facing: number, unit: string, harm: number, track: number, states: Record<string, Mark>, counts: Record<string, number>, gone: string}} Thing */
/** @typedef {{form: string, size: number, depth: number}} Base */
/** @typedef {{value: number | string | string[], until: string}} Mark */
/** @typedef {{id: string, kind: string, outline: Shape, height: number, contours: Contour[], parts: Part[], traits: Record<string, number | string>, label: string}} Piece */
/** @typedef {{level: number, outline: Shape, cliff: boolean}} Contour */
/** @typedef {{id: string, outline: Shape | null, level: number, state: string}} Part */
/** @typedef {{event: "Left", thing: string, to: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Left */
/** @typedef {{event: "Landed", what: string, aimed: Point, at: Point, area?: Shape | null, caught?: string[], n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Landed */
/** @typedef {{event: "HarmNoted", target: string, harm: Harm, moment: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} HarmNoted */
/** @typedef {{what: string, amount: number, detail: Record<string, number | string | string[]>}} Harm */
/** @typedef {{event: "HarmCancelled", target: string, harm: Harm, by?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} HarmCancelled */
/** @typedef {{event: "HarmApplied", target: string, harm: Harm, before: number, after: number, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} HarmApplied */
/** @typedef {{event: "StateChanged", who: string, state: string, before?: number | string | string[] | null, after?: number | string | string[] | null, until?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} StateChanged */
/** @typedef {{event: "ModelLost", model: string, how: string, leaves?: Piece | null, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} ModelLost */
/** @typedef {{event: "TerrainChanged", piece: string, part?: string, before?: string, after?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} TerrainChanged */
/** @typedef {{event: "Counted", thing: string, what: string, before: number, after: number, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Counted */
/** @typedef {{event: "Forfeited", actor: string, action: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Forfeited */
/** @typedef {{event: "Sealed", side: string, topic: string, value?: number | string | string[] | null, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Sealed */
/** @typedef {{event: "Revealed", what: string, shown?: string, to?: string[], value?: number | string | string[] | null, made?: Thing | null, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Revealed */
/** @typedef {{event: "Grouped", models: string[], unit: string, until?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Grouped */
/** @typedef {{event: "Scored", side: string, points: number, reason: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} Scored */
/** @typedef {{event: "TakenBack", side: string, to: number, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} TakenBack */
/** @typedef {{event: "BattleEnded", winner: string, points?: Record<string, number>, reason?: string, n?: number, step?: string, rule?: string, because?: number, known_to?: string[], veils?: Record<string, string[]>, detail?: Record<string, number | string | string[]>}} BattleEnded */
/** @typedef {{kind: "choose one", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, options: Option[], default: string | null}} ChooseOne */
/** @typedef {{id: string, label: string, about: string[], rules: string[], refused: string, loses: string[], also: string[]}} Option */
/** @typedef {{kind: "choose several", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, options: Option[], deed: string, at_least: number, at_most: number | null, not_together: string[][], default: string[] | null}} ChooseSeveral */
/** @typedef {{kind: "allocate", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, items: Option[], bins: Option[], allowed: Record<string, string[]>, bin_least: Record<string, number>, bin_most: Record<string, number>, all_items: boolean, default: Record<string, string> | null}} Allocate */
/** @typedef {{kind: "place", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, things: string[], names: Record<string, string>, where: Record<string, Region>, together: Together | null, faces: boolean, outlines: Record<string, Shape[]>, default: Record<string, Spot> | null}} PlaceThings */
/** @typedef {{inside: Shape[], outside: Shape[], levels: number[], slots: In[], whole: boolean, rule: string, label: string}} Region */
/** @typedef {{within: number | null, touching: boolean, rule: string, label: string}} Together */
/** @typedef {{where: Place, facing: number}} Spot */
/** @typedef {{kind: "move", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, models: string[], allowance: Record<string, number>, manner: string, marks: MarkAsked[], together: Together | null, faces: boolean, ends: Region | null, bound_to: Record<string, Walk>, default: Record<string, Walk> | null}} MoveModels */
/** @typedef {{id: string, label: string, required: boolean, first: boolean}} MarkAsked */
/** @typedef {{kind: "confirm", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, yes: string, no: string, default: boolean | null}} Confirm */
/** @typedef {{kind: "react", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, moment: string, stretch: [number, number] | null, options: ReactOption[], blind: boolean, default: null}} React */
/** @typedef {{id: string, label: string, actor: string, cost: Record<string, number>, rules: string[], amount_least: number, amount_most: number, refused: string, loses: string[]}} ReactOption */
/** @typedef {{kind: "plan", side: string, prompt: string, topic: string, about: string[], rules: string[], sealed: string, shows: string[], facts: Record<string, number>, decline: string, actors: string[], budget: Record<string, number>, default: Record<string, any> | null}} Plan */
/** @typedef {{say: "sit", id?: number, token: string, side?: string, since?: number}} Sit */
/** @typedef {{say: "draft", id?: number, question?: string, answer?: any, part?: string, value?: any, wants?: ("costs" | "ranges" | "threats")[]}} Draft */
/** @typedef {{say: "answer", id?: number, question?: string, answer?: any}} Answer */
/** @typedef {{say: "undo", id?: number}} Undo */
/** @typedef {{say: "ask undo", id?: number, asks?: boolean}} AskUndo */
/** @typedef {{say: "answer undo", id?: number, agrees: boolean}} AnswerUndo */
/** @typedef {{say: "name", id?: number, name: string}} Named */
/** @typedef {{say: "order", id?: number, rule?: string, answer?: any, when?: Condition[], withdraw?: boolean}} Order */
/** @typedef {{fact: string, compare: string, value: number}} Condition */
/** @typedef {{say: "concede", id?: number}} Concede */
/** @typedef {{say: "draw", id?: number, offers?: boolean}} OfferDraw */
/** @typedef {{say: "claim", id?: number}} Claim */
/** @typedef {{say: "chat", id?: number, text: string}} Chat */
/** @typedef {{say: "ping", id?: number}} Ping */
/** @typedef {{tell: "welcome", id: number, battle: string, ruleset: string, version: string, title: string, unit: string, scenario: string, role: string, side: string, sides: string[], seats: SeatShown[], seed: number | string | null, options: Record<string, number | string>, minutes: number, increment: number, claim_after: number, open_journal: boolean, chat: ChatLine[]}} Welcome */
/** @typedef {{side: string, kind: string, name: string, bot: string, here: boolean}} SeatShown */
/** @typedef {{n: number, side: string, name: string, at: number, text: string}} ChatLine */
/** @typedef {{tell: "situation", id: number, n: number, side: string, digest: string, ground: Ground | null, table: TableShown, log_from: number, log: LogLine[], scenes: Scene[], question: AnyQuestion | null, asks: string, waiting: string[], may_undo: boolean, may_ask_undo: boolean, asks_undo: string, clocks: ClockShown[], measuring: boolean, offers: string[], orders: StandingOrder[] | null, claim: ClaimShown | null, trouble: string, zones: Zone[], slots: Record<string, Record<string, string>>}} Situation */
/** @typedef {{width: number, height: number, pieces: Piece[]}} Ground */
/** @typedef {{sides: string[], things: Record<string, Thing>, decks: Record<string, Deck>, secrets: Record<string, number | string | string[]>, scores: Record<string, number>, turn: number, phase: string, acting: string[], ending: Ending | null, options: Record<string, number | string>}} TableShown */
/** @typedef {{contents: Record<string, number>, order: string[]}} Deck */
/** @typedef {{winner: string, points: Record<string, number>, reason: string}} Ending */
/** @typedef {{event: AnyEvent, words: string, roll: string, said: number}} LogLine */
/** @typedef {{first: number, upto: number, side: string, who: string, lead: string, came: string[], aims: Aim[]}} Scene */
/** @typedef {{line: number, by: string, at: string}} Aim */
/** @typedef {{side: string, left: number, runs: boolean}} ClockShown */
/** @typedef {{side: string, rule: string, answer: any, when: Condition[]}} StandingOrder */
/** @typedef {{side: string, seconds: number}} ClaimShown */
/** @typedef {{id: string, label: string, shape: Shape, side: string, rule: string}} Zone */
/** @typedef {{tell: "verdict", id: number, question: string, refusal: Refusal | null, preview: Preview | null, parts: PartShown[] | null, clipped: any, late: boolean}} Verdict */
/** @typedef {{rule: string, sentence: string, also?: string[]}} Refusal */
/** @typedef {{explanations: Explanation[], notes: string[], distances: Record<string, number>, reach: Shape[], sight: SightNote[], paths: PathNote[], odds: Chance[], odds_note: string, rings: Ring[], targets: Record<string, string>, threats: Threat[], loses: string[]}} Preview */
/** @typedef {{what: string, total: number, parts: ExplainedPart[]}} Explanation */
/** @typedef {{start: Point, end: Point, beads: Bead[], blocked: boolean}} SightNote */
/** @typedef {{enters: Point, leaves: Point, label: string, counts: boolean, blocks: boolean, rule: string}} Bead */
/** @typedef {{model: string, points: Point[], costs: Explanation[], total: number, allowance: number}} PathNote */
/** @typedef {{label: string, numerator: number, denominator: number, range: [number, number] | null, amount: number | null, final: boolean, one_of: boolean, at_least: boolean}} Chance */
/** @typedef {{what: string, label: string, shape: Shape, rule: string}} Ring */
/** @typedef {{by: string, words: string, start: Point, end: Point, rule: string}} Threat */
/** @typedef {{id: string, question: AnyQuestion, optional: boolean}} PartShown */
/** @typedef {{tell: "kept", id: number, n: number}} Kept */
/** @typedef {{tell: "refused", id: number, refusal: Refusal}} Refused */
/** @typedef {{tell: "wrong", id: number, why: string, words: string}} Wrong */
/** @typedef {{tell: "chat", id: number, line: ChatLine}} ChatSaid */
/** @typedef {{tell: "presence", id: number, seats: SeatShown[], spectators: number}} Presence */
/** @typedef {{tell: "pong", id: number}} Pong */
/** @typedef {{storage: boolean, version: string, database: string}} Health */
/** @typedef {{why: string, words: string}} Problem */
/** @typedef {{name: string, title: string, about: string, sides: string[], size_counts: string, size_default: number, size_least: number, size_most: number}} ScenarioShown */
/** @typedef {{shape: string, helps: boolean, words: string, hinders: string[]}} StateLook */
/** @typedef {{id: string, words: string, height: number, contoured: boolean}} TerrainShown */
/** @typedef {{name: string, text: string, rule: string}} HeldShown */
/** @typedef {{name: string, title: string, version: string, unit: string, unit_mark: string, size: string, scenarios: ScenarioShown[], words: Record<string, string>, notes: string[], looks: Record<string, StateLook>, held: Record<string, HeldShown>, chapters: string[], rules: number, faces: boolean, free_measuring: boolean, kinds: TerrainShown[], begin_with: string, rosters: boolean, level: number}} RulesetShown */
/** @typedef {{id: string, title: string, kind: string, chapter: string, text: string, ruling: string, examples: [string, string, string][], data: any}} RuleShown */
/** @typedef {{id: string, name: string, kind: string, points: number, glyph: string, base: Record<string, any>, height: number, stats: any, rule: string}} CardShown */
/** @typedef {{name: string, title: string, about: string, suggested: boolean}} BotShown */
/** @typedef {{text: string}} TextSent */
/** @typedef {{form: Record<string, any>}} FormSent */
/** @typedef {{form: Scenario | null, text: string, ground: Ground | null, titles: Record<string, string>, wrong: string, line: number}} ScenarioChecked */
/** @typedef {{ruleset: string, name: string, board: BoardForm, sides: Record<string, SideForm>, title: string, about: string, rules: string[], size: SizeForm | null, deployment: string, zones: ZoneForm[], markers: MarkerForm[], options: Record<string, number | string | string[]>, turn_limit: number | null, victory: string}} Scenario */
/** @typedef {{width: number, height: number, terrain: "random" | PieceForm[]}} BoardForm */
/** @typedef {{circle: Circle | null, polygon: Point[] | null, rectangle: Rectangle | null, band: BandForm | null, kind: string, id: string, label: string, height: number | string | null, contours: ContourForm[], parts: PartForm[], traits: Record<string, number | string>}} PieceForm */
/** @typedef {[x: number, y: number, radius: number]} Circle */
/** @typedef {[x: number, y: number, width: number, height: number, degrees: number]} Rectangle */
/** @typedef {{points: Point[], width: number}} BandForm */
/** @typedef {{circle: Circle | null, polygon: Point[] | null, rectangle: Rectangle | null, band: BandForm | null, level: number | string, cliff: boolean}} ContourForm */
/** @typedef {{circle: Circle | null, polygon: Point[] | null, rectangle: Rectangle | null, band: BandForm | null, id: string, level: number | string, state: string}} PartForm */
/** @typedef {{force: ModelForm[], roster: Roster | null, zone: string, options: Record<string, number | string | string[]>}} SideForm */
/** @typedef {{model: string, as: string, at: Point | null, level: number, in: string, slot: string, off: string | null, facing: number, unit: string, harm: number, states: string[] | Record<string, StateForm | number | string | string[]>, counts: Record<string, number>, options: Record<string, number | string | string[]>, count: number | "size"}} ModelForm */
/** @typedef {{value: number | string | string[], until: string}} StateForm */
/** @typedef {{ruleset: string, name: string, limit: number | null, options: Record<string, number | string | string[]>, units: Unit[], extras: Bought[], notes: string}} Roster */
/** @typedef {{name: string, kind: string, upgrades: string[], options: Record<string, number | string | string[]>, models: Bought[], units: Unit[]}} Unit */
/** @typedef {{model: string, count: number, as: string, upgrades: string[], options: Record<string, number | string | string[]>}} Bought */
/** @typedef {{counts: string, default: number, least: number, most: number}} SizeForm */
/** @typedef {{circle: Circle | null, polygon: Point[] | null, rectangle: Rectangle | null, band: BandForm | null, id: string, label: string, rule: string, edge: "east" | "north" | "south" | "west" | null, depth: number | null}} ZoneForm */
/** @typedef {{kind: string, at: Point, as: string, side: string, label: string, states: string[] | Record<string, StateForm | number | string | string[]>, counts: Record<string, number>}} MarkerForm */
/** @typedef {{width: number, height: number, seed?: number | null}} TerrainWanted */
/** @typedef {{seed: number, ground: Ground, pieces: Record<string, any>[]}} TerrainMade */
/** @typedef {{what: string, each: number, count: number, total: number, rule: string}} ChargeShown */
/** @typedef {{severity: string, rule: string, sentence: string, at: (string | number)[], line: number}} FindingShown */
/** @typedef {{what: string, found: number, bounds: string, kept: boolean, rule: string, at: (string | number)[], sum: string}} TallyShown */
/** @typedef {{form: Roster | null, text: string, points: number, limit: number | null, lawful: boolean, charges: ChargeShown[], findings: FindingShown[], tallies: TallyShown[], choices: Choice[], closed: Closed[], wrong: string, line: number}} RosterChecked */
/** @typedef {{at: (string | number)[], option: string, words: string, values: ChoiceValue[], several: boolean}} Choice */
/** @typedef {{id: string, words: string, why: string, rule: string}} ChoiceValue */
/** @typedef {{at: (string | number)[], model: string, why: string, rule: string}} Closed */
/** @typedef {{side: string, kind?: "bot" | "hot seat" | "person", name?: string, bot?: string}} SeatWanted */
/** @typedef {{minutes: number, increment?: number}} ClockWanted */
/** @typedef {{ruleset: string, scenario?: string, text?: string, size?: number, rosters?: Record<string, string>, seats?: SeatWanted[], seed?: number | string | null, claim_after?: number, pace?: number, clock?: ClockWanted | null, title?: string}} BattleWanted */
/** @typedef {{token: string, role: string, sides: string[]}} LinkMade */
/** @typedef {{battle: string, links: LinkMade[]}} BattleMade */
/** @typedef {{tokens: string[]}} TokensKnown */
/** @typedef {{battle: string, ruleset: string, title: string, role: string, sides: string[], seats: SeatShown[], n: number, ended: boolean, winner: string, begun: number, last: number, your_turn: boolean, scenario: string, waiting: string[], turn: number, token: number}} BattleShown */
/** @typedef {{at: number, seats?: SeatWanted[]}} ForkWanted */
/** @typedef {{total: number, first: number, lines: LogLine[]}} LogShown */
/** @typedef {{n: number, total: number, ground: Ground, table: TableShown, line: LogLine | null}} MomentShown */
/** @typedef {{said: number, side: string, words: string}} ReasonShown */
/** @typedef {{models: string[], upgrades: string[], extras: string[], unit_kinds: UnitKind[], options: Record<string, string[]>, limit: number, ready: Roster[]}} Offer */
/** @typedef {{id: string, words: string, rule: string, takes: "models" | "units", about: string}} UnitKind */
/** @typedef {Disc | Polygon | Band} Shape */
/** @typedef {At | In | Off} Place */
/** @typedef {PhaseBegan | StepBegan | DeckChanged | Declared | Spent | Passed | Rolled | Moved | Halted | Placed | Left | Landed | HarmNoted | HarmCancelled | HarmApplied | StateChanged | ModelLost | TerrainChanged | Counted | Forfeited | Sealed | Revealed | Grouped | Scored | TakenBack | BattleEnded} AnyEvent */
/** @typedef {ChooseOne | ChooseSeveral | Allocate | PlaceThings | MoveModels | Confirm | React | Plan} AnyQuestion */
/** @typedef {Sit | Draft | Answer | Undo | AskUndo | AnswerUndo | Named | Order | Concede | OfferDraw | Claim | Chat | Ping} FromPage */
/** @typedef {Welcome | Situation | Verdict | Kept | Refused | Wrong | ChatSaid | Presence | Pong} ToPage */

export {};
