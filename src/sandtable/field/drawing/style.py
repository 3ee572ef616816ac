"""The palette and the stylesheet: a military sand table, by day paper and sand, by night one lamp over the tray.

Three inks have one job each: lamp (amber) is who acts, pencil (violet) is what is only being tried, ink is what is
so. On the map brown is height, green growth, teal water, grey what was built; red and blue belong to the sides.

Colours are written out in full rather than as custom properties, since many programs that show SVG know no `var()`.
"""

import re
from collections.abc import Iterable

from sandtable.field.drawing.ink import num

VOICE = "'Iowan Old Style','Palatino Linotype',Palatino,P052,'URW Palladio L','Book Antiqua',Georgia,serif"
INSTRUMENT = (
    "'DIN Alternate',Bahnschrift,'Avenir Next Condensed','Roboto Condensed','Nimbus Sans Narrow',"
    "'Liberation Sans Narrow','Arial Narrow',system-ui,sans-serif"
)

#: Each colour by day and by night.
PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#f8f6ee", "#1d2125"),
    "ink": ("#23251f", "#ece7d9"),
    "lamp": ("#f0ad35", "#f5b84a"),
    "on-lamp": ("#231a06", "#231a06"),
    "pencil": ("#7d2487", "#f0a6f2"),
    "on-pencil": ("#ffffff", "#2a0c2e"),
    "sand": ("#e6dcc0", "#4a4232"),
    "sand-dot": ("#b49c66", "#7d6f50"),
    "level-1": ("#d8be89", "#6b5c3e"),
    "level-2": ("#c89f5c", "#8c7547"),
    "level-3": ("#b58340", "#a98f55"),
    "level-4": ("#a06c31", "#c0a565"),
    "contour": ("#6b4415", "#e4c48c"),
    "lit": ("#fff6da", "#e6c98c"),
    "shade": ("#3a2f16", "#000000"),
    "woods": ("#c2cb98", "#3d4529"),
    "woods-edge": ("#566a2e", "#93a866"),
    "tree": ("#7f9a50", "#5b7137"),
    "tree-lit": ("#a3bb6f", "#7e9650"),
    "tree-deep": ("#4c6431", "#38481f"),
    "tree-dark": ("#5d7a3d", "#44592c"),
    "tree-dark-lit": ("#7d9a54", "#627b3f"),
    "water": ("#a9ced0", "#24494e"),
    "water-line": ("#38757e", "#66a9af"),
    "water-ink": ("#0d3f48", "#a9dde0"),
    "deep": ("#83b7bd", "#1b393e"),
    "road": ("#f1ead6", "#635c49"),
    "road-edge": ("#6d6553", "#b0a584"),
    "stone": ("#a3987c", "#857a60"),
    "roof-lit": ("#cdc9bd", "#a19e92"),
    "roof": ("#b5b1a4", "#86837a"),
    "roof-shade": ("#989487", "#68665f"),
    "made": ("#35332c", "#15140f"),
    "map-ink": ("#2f2a1c", "#f4ecd6"),
    "map-halo": ("#efe6cb", "#2b2619"),
    "rim": ("#5a4a37", "#2a221a"),
    "rim-lit": ("#7b6850", "#43372a"),
    "rim-deep": ("#3d3124", "#17120d"),
    "rim-ink": ("#f0e4c9", "#cdb98f"),
    "brass": ("#b08a4e", "#806338"),
    "lamp-in": ("#fff8de", "#ffce80"),
    "lamp-out": ("#463412", "#040508"),
    "dune": ("#fffae8", "#ffdea0"),
    "red": ("#a3291d", "#ff9280"),
    "red-fill": ("#a83225", "#c9452f"),
    "blue": ("#1c4c8c", "#8fbcff"),
    "blue-fill": ("#255796", "#2f6cc0"),
    "green": ("#1f6240", "#7fd0a0"),
    "green-fill": ("#2a6e4a", "#2f7d55"),
    "grey": ("#3d3f45", "#d3d4d8"),
    "grey-fill": ("#4a4c53", "#62656e"),
}

#: What is as strong by night as by day needs no second number; this is for what is not.
_STRENGTHS: dict[str, tuple[str, str]] = {
    "lamp-in": (".3", ".2"),
    "lamp-out": (".18", ".72"),
    "dune": (".5", ".07"),
}


def _mixed(one: str, share: int, other: str) -> tuple[str, str]:
    """So many hundredths of one colour, the rest of another."""

    def mix(a: str, b: str) -> str:
        pairs = ((int(a[i : i + 2], 16), int(b[i : i + 2], 16)) for i in (1, 3, 5))
        return "#" + "".join(f"{(x * share + y * (100 - share) + 50) // 100:02x}" for x, y in pairs)

    return mix(PALETTE[one][0], PALETTE[other][0]), mix(PALETTE[one][1], PALETTE[other][1])


PALETTE |= {
    "heavy-woods": _mixed("woods", 72, "tree-deep"),
    "rough": _mixed("sand", 80, "stone"),
    "marsh": _mixed("sand", 55, "water"),
    "roof-dark": _mixed("roof-shade", 80, "made"),
    "block": _mixed("stone", 70, "roof"),
    "on-level-1": _mixed("level-1", 60, "map-halo"),
    "on-level-2": _mixed("level-2", 60, "map-halo"),
    "on-level-3": _mixed("level-3", 60, "map-halo"),
    "on-level-4": _mixed("level-4", 60, "map-halo"),
}

#: The four looks of sides, each told by a colour, a cut of flag, a pattern and a line inside its bases.
SIDES = ("red", "blue", "green", "grey")

for _side in SIDES:
    # By night the fill is too dark for thin lines, and a base needs an edge of its own light.
    PALETTE[f"{_side}-mark"] = (PALETTE[f"{_side}-fill"][0], PALETTE[_side][1])
    PALETTE[f"{_side}-edge"] = (PALETTE["map-halo"][0], PALETTE[_side][1])
    PALETTE[f"{_side}-tired"] = _mixed(f"{_side}-fill", 82, "roof")

# `$name` is a colour, `%name` its strength, `<85>` a length in thousandths of a grain. Words are in pixels.
_RULES = """
text{font-family:INSTRUMENT;fill:$map-ink;paint-order:stroke;stroke:$map-halo;stroke-width:3px;stroke-linejoin:round}
.rim{fill:$rim}
.rim-lit{fill:none;stroke:$rim-lit;stroke-width:<100>}
.rim-deep{fill:none;stroke:$rim-deep;stroke-width:<160>}
.rim-tick{fill:none;stroke:$rim-ink;stroke-width:<45>;opacity:.6}
.rim-long{fill:none;stroke:$rim-ink;stroke-width:<70>;opacity:.95}
.rim-name{fill:$rim-ink;stroke:none;font-weight:600;font-size:13px;text-anchor:middle}
.bracket{fill:$brass;stroke:$rim-deep;stroke-width:<50>}
.screw{fill:$rim-deep;opacity:.7}
.sand{fill:$sand}
.grain-dot{fill:$sand-dot}
.dune-in{stop-color:$dune;stop-opacity:%dune}
.dune-out{stop-color:$dune;stop-opacity:0}
.hollow-in{stop-color:$shade;stop-opacity:.1}
.hollow-out{stop-color:$shade;stop-opacity:0}
.lamp-in{stop-color:$lamp-in;stop-opacity:%lamp-in}
.lamp-mid{stop-color:$lamp-in;stop-opacity:0}
.lamp-dusk{stop-color:$lamp-out;stop-opacity:0}
.lamp-out{stop-color:$lamp-out;stop-opacity:%lamp-out}
.lit-stop{stop-color:$lit}
.shade-stop{stop-color:$shade}
.cross{fill:none;stroke:$map-ink;stroke-width:<40>;opacity:.32}
.shadow{fill:$shade;opacity:.2}
.shadow-soft{fill:$shade;opacity:.1}
.shadow-deep{fill:$shade;opacity:.32}
.shadow-line{fill:none;stroke:$shade;opacity:.25}
.level-1{fill:$level-1}
.level-2{fill:$level-2}
.level-3{fill:$level-3}
.level-4{fill:$level-4}
.contour{fill:none;stroke:$contour;stroke-width:<85>;opacity:.9;stroke-linejoin:round}
.hachure{fill:none;stroke:$contour;stroke-width:<45>;opacity:.55}
.cliff{fill:none;stroke:$contour;stroke-width:<160>;stroke-linejoin:round}
.teeth{fill:$contour}
.edge-lit{fill:none;stroke-width:<360>;opacity:.8}
.height{font-weight:700;font-size:12px;text-anchor:middle;stroke-width:4px}
.on-1{stroke:$on-level-1}
.on-2{stroke:$on-level-2}
.on-3{stroke:$on-level-3}
.on-4{stroke:$on-level-4}
.on-woods{stroke:$woods}
.on-heavy{stroke:$heavy-woods}
.on-roof{stroke:$roof-lit;fill:$made}
.on-block{stroke:$block;fill:$made}
.woods{fill:$woods}
.woods-edge{fill:none;stroke:$woods-edge;stroke-width:<100>;stroke-dasharray:<340> <220>;stroke-linecap:round}
.heavy{fill:$heavy-woods}
.heavy-edge{fill:none;stroke:$woods-edge;stroke-width:<120>;stroke-linejoin:round}
.tree{fill:$tree;stroke:$tree-deep;stroke-width:<60>}
.tree-lit{fill:$tree-lit;opacity:.8}
.dark-tree{fill:$tree-dark;stroke:$tree-deep;stroke-width:<60>}
.dark-lit{fill:$tree-dark-lit;opacity:.8}
.water{fill:$water}
.water-line{fill:none;stroke:$water-line}
.water-wash{fill:none;stroke:$water}
.bank{fill:none;stroke:$shade;stroke-width:<340>;opacity:.13}
.shore{fill:none;stroke:$water-line;stroke-width:<130>;stroke-linejoin:round}
.deep{fill:$deep}
.deep-line{fill:none;stroke:$water-line;stroke-width:<70>;stroke-dasharray:<300> <180>}
.road{fill:$road}
.road-edge{fill:none;stroke:$road-edge;stroke-width:<180>;opacity:.85}
.rut{fill:none;stroke:$road-edge;stroke-width:<50>;stroke-dasharray:<500> <550>;opacity:.45}
.bridge{fill:$road}
.rail{fill:none;stroke:$made;stroke-width:<200>}
.plank{fill:none;stroke:$road-edge;stroke-width:<60>;opacity:.65}
.rough{fill:$rough}
.rough-edge{fill:none;stroke:$road-edge;stroke-width:<90>;stroke-dasharray:<60> <260>;stroke-linecap:round}
.scree{fill:none;stroke:$road-edge;stroke-width:<70>}
.stone{fill:$stone;stroke:$road-edge;stroke-width:<50>;stroke-linejoin:round}
.marsh{fill:$marsh}
.marsh-edge{fill:none;stroke:$water-line;stroke-width:<90>;stroke-dasharray:<500> <200> <60> <200>;
    stroke-linecap:round}
.tuft{fill:none;stroke:$woods-edge;stroke-width:<70>;stroke-linecap:round}
.roof{fill:$roof}
.roof-lit{fill:$roof-lit}
.roof-dim{fill:$roof-shade}
.roof-dark{fill:$roof-dark}
.course{fill:none;stroke:$made;stroke-width:<30>;opacity:.45}
.walls{fill:none;stroke:$made;stroke-width:<140>;stroke-linejoin:round}
.section{fill:none;stroke:$made;stroke-width:<90>;stroke-linejoin:round}
.parapet{fill:none;stroke:$lit;stroke-width:<200>;opacity:.55}
.eave{fill:none;stroke:$roof-shade;stroke-width:<340>}
.vent{fill:$roof-shade;stroke:$made;stroke-width:<50>}
.crack{fill:none;stroke:$made;stroke-width:<90>;stroke-linejoin:round}
.block{fill:$block}
.plain{fill:$map-ink;fill-opacity:.05}
.plain-edge{fill:none;stroke:$map-ink;stroke-width:<80>;stroke-dasharray:<200> <140>;opacity:.75}
.name{font:italic 14px VOICE;text-anchor:middle;letter-spacing:.02em}
.small{font-size:12.5px}
.wet{fill:$water-ink;stroke:$water}
.deep-name{stroke:$deep}
.made{font-weight:600;font-size:12px;letter-spacing:.12em;text-transform:uppercase;text-anchor:middle}
.letter{font-size:11px;font-weight:700;text-anchor:middle;fill:$made;stroke:$roof-lit;stroke-width:2px}
.model-shadow{fill:$shade;opacity:.36}
.model-shadow-line{fill:none;stroke:$shade;stroke-linecap:round;opacity:.36}
.base{stroke-width:<80>}
.inner{fill:none;stroke:none}
.wedge{stroke:$map-halo;stroke-width:.1;stroke-linejoin:round}
.glyph{fill:#fff}
.initials{fill:#fff;stroke:none;font-weight:700;text-anchor:middle}
.track{fill:none;stroke:$map-halo;stroke-width:.36}
.left{fill:none;stroke-width:.22}
.lost{fill:none;stroke:$map-ink;stroke-width:.055;opacity:.8}
.lamp-glow-in{stop-color:$lamp;stop-opacity:.75}
.lamp-glow-out{stop-color:$lamp;stop-opacity:0}
.acts{fill:none;stroke:$lamp;stroke-width:.2}
.acts-under{fill:none;stroke:$on-lamp;stroke-width:.32;opacity:.85}
.pole{stroke:$map-ink;stroke-width:1.7px}
.pole-under{stroke:$map-halo;stroke-width:4px;opacity:.85}
.finial{fill:$map-ink}
.finial-lit{fill:$lamp;stroke:$on-lamp;stroke-width:1.2px}
.cloth{stroke-width:1.4px;stroke-linejoin:round}
.call{font-weight:700;font-size:13px;stroke:none;fill:#fff;text-anchor:middle}
.lowered .cloth{fill:$map-halo;stroke-width:1.8px}
.badge{fill:$map-ink;stroke:$map-halo;stroke-width:1.4px}
.badge-icon{fill:none;stroke:$map-halo;stroke-width:1.8px;stroke-linejoin:round}
.badge-word{fill:$map-halo;stroke:none;font-weight:700;font-size:10px;text-anchor:middle}
.helps{fill:$map-halo;stroke:$map-ink}
.helps-icon{stroke:$map-ink}
.stands{font-weight:700;font-size:11px}
.print{fill-opacity:.2;stroke-width:<100>;stroke-dasharray:<220> <140>}
.pencil-under{fill:none;stroke:$map-halo;opacity:.9}
.reach{fill:$pencil;fill-opacity:.06;stroke:$pencil;stroke-width:<120>;stroke-dasharray:<10> <300>;
    stroke-linecap:round}
.corridor{fill:none;stroke:$pencil;stroke-opacity:.2;stroke-linejoin:round}
.path-under{fill:none;stroke:$map-halo;stroke-width:<440>;opacity:.9;stroke-linejoin:round}
.path{fill:none;stroke:$pencil;stroke-width:<200>;stroke-linejoin:round}
.tick{fill:none;stroke:$pencil;stroke-width:<140>}
.tick-under{fill:none;stroke:$map-halo;stroke-width:<360>;opacity:.9}
.cost{font-weight:700;font-size:13px;fill:$pencil;text-anchor:middle}
.arc-in{stop-color:$pencil;stop-opacity:.14}
.arc-out{stop-color:$pencil;stop-opacity:.02}
.arc-side{fill:none;stroke:$pencil;stroke-width:<60>;opacity:.55}
.band{fill:none;stroke:$pencil;stroke-width:<70>;opacity:.7}
.band-name{font-weight:600;font-size:12.5px;fill:$pencil;text-anchor:middle;stroke-width:4px}
.sight-under{fill:none;stroke:$map-halo;stroke-width:<340>;opacity:.9}
.sight{fill:none;stroke:$pencil;stroke-width:<130>}
.over{fill:none;stroke:$pencil;stroke-width:<160>;stroke-dasharray:<10> <260>;stroke-linecap:round}
.counts{fill:none;stroke:$pencil;stroke-width:<300>}
.beyond{fill:none;stroke:$pencil;stroke-width:<130>;stroke-dasharray:<50> <300>;opacity:.5}
.bead{fill:$map-halo;stroke:$pencil;stroke-width:<120>}
.bead-full{fill:$pencil;stroke:$pencil;stroke-width:<120>}
.stop{fill:none;stroke:$pencil;stroke-width:<260>}
.stop-under{fill:none;stroke:$map-halo;stroke-width:<500>}
.tag-back{fill:$paper;stroke:$pencil;stroke-width:1.3px}
.tag{font-weight:600;font-size:12.5px;fill:$ink;stroke:none;text-anchor:middle}
.tag-full{fill:$pencil;stroke:$pencil;stroke-width:1.3px}
.tag-on{font-weight:600;font-size:12.5px;fill:$on-pencil;stroke:none;text-anchor:middle}
.lead{fill:none;stroke:$pencil;stroke-width:<70>}
.template{fill:$pencil;fill-opacity:.12;stroke:$pencil;stroke-width:<120>;stroke-dasharray:<300> <160>}
.landed{fill:$pencil;fill-opacity:.2;stroke:$pencil;stroke-width:<120>}
.aim{fill:none;stroke:$pencil;stroke-width:<130>}
.caught{fill:none;stroke:$pencil;stroke-width:<200>}
.drift{fill:none;stroke:$pencil;stroke-width:<120>;stroke-dasharray:<260> <140>}
.drift-head{fill:$pencil}
.may{fill:none;stroke:$pencil;stroke-width:<170>;stroke-dasharray:<200> <160>}
.chosen{fill:none;stroke:$pencil;stroke-width:<170>}
.pick-under{fill:none;stroke:$map-halo;stroke-width:<400>;opacity:.85}
.looked{fill:none;stroke:$map-ink;stroke-width:<120>}
.ruler{fill:none;stroke:$pencil;stroke-width:<100>}
.region{fill:$pencil;fill-opacity:.08;stroke:$pencil;stroke-width:<90>;stroke-dasharray:<360> <180>}
.barred{fill:$pencil;fill-opacity:.16;stroke:$pencil;stroke-width:<60>}
"""

# What a band (a road, a stream) is filled with is the stroke of its middle line.
_BANDS = {
    "woods": "woods", "heavy": "heavy-woods", "water": "water", "deep": "deep", "road": "road", "bridge": "road",
    "rough": "rough", "marsh": "marsh", "roof-lit": "roof-lit", "block": "block", "level-1": "level-1",
    "level-2": "level-2", "level-3": "level-3", "level-4": "level-4",
}  # fmt: skip

_SIDE_RULES = """
.SIDE .base{fill:$SIDE-fill;stroke:$SIDE-edge}
.SIDE .tired{fill:$SIDE-tired}
.SIDE .wedge{fill:$SIDE-mark}
.SIDE .left{stroke:$SIDE-mark}
.SIDE .cloth{fill:$SIDE-fill;stroke:$SIDE-edge}
.SIDE.lowered .cloth{fill:$map-halo;stroke:$SIDE-mark}
.SIDE.lowered .call{fill:$SIDE}
.SIDE .print{fill:$SIDE-mark;stroke:$SIDE-mark}
.SIDE .print-wedge{fill:none;stroke:$SIDE-mark;stroke-width:.08}
.home-SIDE{fill:$SIDE-fill}
"""
_INNER = {
    "red": "",
    "blue": ".blue .inner{stroke:#fff;stroke-width:.06;opacity:.85}",
    "green": ".green .inner{stroke:#fff;stroke-width:.1;stroke-dasharray:.01 .18;stroke-linecap:round}",
    "grey": ".grey .inner{stroke:#fff;stroke-width:.06;stroke-dasharray:.3 .16}",
}

#: Classes of things defined once and used often. A used copy does not see the root around it, so the root is part of
#: their name.
DEFINED = ("tree", "tree-lit", "dark-tree", "dark-lit")

_RULE = re.compile(r"([^{}\n]+?)\s*\{([^}]*)\}")


def _rules(sides: Iterable[str]) -> list[tuple[str, list[str]]]:
    text = _RULES
    text += "".join(f".{cls}.b{{fill:none;stroke:${colour}}}" for cls, colour in _BANDS.items())
    text += ".b{stroke-linecap:round;stroke-linejoin:round}.b-edge{stroke-dasharray:none;stroke-linecap:round}"
    for side in sides:
        text += _SIDE_RULES.replace("SIDE", side) + _INNER[side]
    text = text.replace("INSTRUMENT", INSTRUMENT).replace("VOICE", VOICE)
    return [(match[1].strip(), [one.strip() for one in match[2].split(";")]) for match in _RULE.finditer(text)]


def _filled(declaration: str, night: bool, grain: int) -> str:
    which = 1 if night else 0
    declaration = re.sub(r"\$([a-z0-9-]+)", lambda m: PALETTE[m[1]][which], declaration)
    declaration = re.sub(r"%([a-z-]+)", lambda m: _STRENGTHS[m[1]][which], declaration)
    return re.sub(r"<(\d+)>", lambda m: num(int(m[1]) * grain // 1000), declaration)


def stylesheet(theme: str, root: str, grain: int, sides: Iterable[str], used: Iterable[str] | None = None) -> str:
    """The style of one drawing: its theme's colours, lines as fine as its board asks, under one root class.

    With `auto` the colours of the night stand in a media query, so one picture serves both. Only rules for the
    classes in `used` are written.

    >>> stylesheet("light", "table", 1000, [], used={"sand"})
    '.table .sand{fill:#e6dcc0}'
    """
    wanted = None if used is None else set(used)
    day: list[str] = []
    night: list[str] = []
    for selector, declarations in _rules(sides):
        names = re.findall(r"\.([a-z0-9-]+)", selector)
        if names and names[0] in DEFINED:
            selector, names = f".{root}-{names[0]}", [f"{root}-{names[0]}"]
        else:
            selector = f".{root} {selector}"
        if wanted is not None and not (wanted.issuperset(names) if names else "text" in wanted):
            continue
        filled = [_filled(one, theme == "dark", grain) for one in declarations]
        day.append(f"{selector}{{{';'.join(filled)}}}")
        turned = [_filled(one, True, grain) for one in declarations if "$" in one or re.search("%[a-z]", one)]
        if turned:
            night.append(f"{selector}{{{';'.join(turned)}}}")
    if theme == "auto":
        day.append("@media (prefers-color-scheme:dark){" + "".join(night) + "}")
    return "".join(day)
