// The start page: lay a new battle, go on with mine, open a journal, join by link.

import { loadBattles } from "./battles.js";
import { clockWords } from "./asides.js";
import { ask } from "./connection.js";
import { icon, mark, wordmark } from "./icons.js";
import { fill, make, renew } from "./pen.js";
import { readyBattles } from "./ready-shelf.js";
import { thumbnail } from "./ready.js";
import { forgetBattle, keptBattles, keepBattle, settings, setSettings, switchLamp } from "./shelf.js";
import { change, state, watch } from "./state.js";
import { capital } from "./table-words.js";

/** What the new battle will be, while it is being said. */
const wish = { ruleset: "", scenario: "", size: 0, seats: /** @type {Record<string, string>} */ ({}), seed: "", days: 0, clock: "" };
/** The links that were made for others, to be handed out. @type {{battle: string, links: import("./types.js").LinkMade[]} | null} */
let made = null;
let trouble = "";

const chosen = () => state.rulesets.find((one) => one.name === wish.ruleset) ?? state.rulesets[0];
const scenario = () => [wish.scenario, chosen()?.begin_with].map((name) => chosen()?.scenarios.find((one) => one.name === name)).find(Boolean) ?? chosen()?.scenarios[0];
const sidesOf = () => scenario()?.sides.length ? scenario()?.sides ?? [] : ["red", "blue"];
/** @param {string} side  @param {number} i */
const seatOf = (side, i) => wish.seats[side] ?? (i === 0 ? "you" : `bot ${bestBot()}`);
const bestBot = () => (state.bots.find((bot) => bot.suggested) ?? state.bots[state.bots.length - 1])?.name ?? "random";
/** The link of a seat or a spectator.  @param {string} token */
const linkTo = (token) => `${location.origin}${location.pathname}#/table/${token}`;

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;
const again = () => change({ battles: [...state.battles] });

async function layTheTable() {
  const scene = scenario(), sides = sidesOf(), seats = sides.map((side, i) => {
    const who = seatOf(side, i);
    if (who.startsWith("bot ")) return { side, kind: "bot", bot: who.slice(4) };
    return { side, kind: who === "here" ? "hot seat" : "person", name: who === "you" ? settings().name : "" };
  });
  if (seats.some((seat) => seat.kind === "hot seat")) for (const [i, seat] of seats.entries()) if (seatOf(sides[i], i) === "you") seat.kind = "hot seat";
  const seed = wish.seed.trim();
  trouble = "";
  try {
    const answer = await ask("/battles", { ruleset: chosen()?.name, scenario: scene?.name ?? "", size: wish.size || scene?.size_default || 0, seats, seed: seed === "" ? null : /^\d{1,15}$/.test(seed) ? Number(seed) : seed, claim_after: wish.days * 86400, ...(wish.clock ? { clock: { minutes: Number(wish.clock.split(" ")[0]), increment: Number(wish.clock.split(" ")[1]) } } : {}), title: scene?.title ?? "" });
    const mine = sides.find((side, i) => ["you", "here"].includes(seatOf(side, i))), own = answer.links.find((/** @type {any} */ link) => mine && link.sides.includes(mine)) ?? answer.links.find((/** @type {any} */ link) => link.role === "spectator") ?? answer.links[0];
    keepBattle(own.token, { title: scene?.title ?? "", ruleset: chosen()?.name ?? "", role: own.role, sides: own.sides });
    const far = sides.filter((side, i) => seatOf(side, i) === "far");
    if (!far.length) { location.hash = `#/table/${own.token}`; return; }
    made = { battle: own.token, links: answer.links.filter((/** @type {any} */ link) => link.token !== own.token) };
  } catch (problem) { trouble = String(/** @type {Error} */ (problem).message); }
  again();
}

/** Begin a ready battle against the computer, at once.  @param {string} ruleset  @param {string} name */
async function beginReady(ruleset, name) {
  const scene = state.rulesets.find((one) => one.name === ruleset)?.scenarios.find((one) => one.name === name), sides = scene?.sides.length ? scene.sides : ["red", "blue"];
  try {
    const made = await ask("/battles", { ruleset, scenario: name, size: scene?.size_default ?? 0, seats: sides.map((side, i) => (i ? { side, kind: "bot", bot: bestBot() } : { side, kind: "person", name: settings().name })), title: scene?.title ?? "" });
    location.hash = `#/table/${made.links.find((/** @type {any} */ link) => link.sides.includes(sides[0])).token}`;
  } catch (problem) { change({ notice: String(/** @type {Error} */ (problem).message) }); }
}

/** @param {string} text */
const copy = (text) => navigator.clipboard?.writeText(text).then(() => change({ notice: "Copied." }), () => change({ notice: text }));

/** The links to hand out, once the table is laid. */
function handOut() {
  return make("div.slip", {}, make("div.slip-band"), make("div.slip-body", {}, make("h2.prompt", {}, "The table is laid."), make("p", {}, "Send each link to its player. Whoever has it sits there; it is shown only now."),
    ...(made?.links ?? []).map((link) => make("div.field", {}, make("span.label", {}, link.sides.length ? `${link.sides.map(capital).join(" and ")}’s seat` : "Spectators"), make("div.two", {}, make("input.box", { readonly: true, value: linkTo(link.token), "aria-label": `Link for ${link.sides.join(" and ") || "spectators"}` }), make("button.else", { onclick: () => copy(linkTo(link.token)) }, icon("link"), "Copy"))))),
  make("footer.slip-foot", {}, make("a.do", { href: `#/table/${made?.battle}` }, "Sit down")));
}

function newBattle() {
  const rules = chosen(), scene = scenario();
  if (!rules) return make("div.slip", {}, make("div.slip-band"), make("div.slip-body", {}, make("h2.prompt", {}, "New battle"), make("p", {}, state.unserved || "Asking the server which rulesets it has …")));
  const least = scene?.size_least || 1, most = scene?.size_most || 12, size = wish.size || scene?.size_default || least;
  const resize = (/** @type {number} */ by) => { wish.size = Math.min(most, Math.max(least, size + by)); again(); };
  const seats = sidesOf().map((side, i) => make("div.seat", {}, make("span.who", {}, mark(side), capital(side)), make("select.box", { "aria-label": `Who plays ${side}`, "data-key": `seat-${side}`, onchange: (/** @type {Event} */ e) => { wish.seats[side] = valueOf(e); again(); } },
    ...[["you", "You"], ...state.bots.map((bot) => [`bot ${bot.name}`, `Computer, ${bot.title ? `${bot.title} (${bot.name})` : bot.name}`, bot.about]), ["here", "A friend at this device"], ["far", "A friend far away, by link"]].map(([value, words, title]) => make("option", { value, selected: seatOf(side, i) === value, ...(title ? { title } : {}) }, words)))));
  const far = sidesOf().some((side, i) => seatOf(side, i) === "far");
  return make("form.slip", { onsubmit: (/** @type {Event} */ e) => { e.preventDefault(); layTheTable(); } }, make("div.slip-band"), make("div.slip-body", {}, make("h2.prompt", {}, "New battle"),
    make("fieldset.field", {}, make("legend.label", {}, "Ruleset"), make("div.choices", {}, ...state.rulesets.map((one) => make("label.choice", {}, make("input", { type: "radio", name: "ruleset", checked: one === rules, "data-key": `ruleset-${one.name}`, onchange: () => { Object.assign(wish, { ruleset: one.name, scenario: "", size: 0, seats: {} }); again(); } }), make("b", {}, one.title || one.name), make("span", {}, `${one.rules} rules`))))),
    make("div.field.two", {}, make("label", {}, make("span.label", {}, "Scenario"), make("select.box", { "data-key": "scenario", onchange: (/** @type {Event} */ e) => { wish.scenario = valueOf(e); wish.size = 0; again(); } }, ...[...rules.scenarios].sort((a, b) => (a.title || a.name).localeCompare(b.title || b.name)).map((one) => make("option", { value: one.name, selected: one === scene }, one.title || one.name)))),
      make("div", { role: "group", "aria-label": `Size: ${rules.size}` }, make("span.label", {}, "Size"), make("div.stepper", {}, make("button", { "aria-label": "Fewer", "data-key": "fewer", onclick: () => resize(-1) }, icon("minus")), make("output", { "aria-live": "polite" }, `${size}`), make("button", { "aria-label": "More", "data-key": "more", onclick: () => resize(1) }, icon("plus"))))),
    scene?.about && make("p.note", {}, scene.about), make("div.field", {}, make("span.label", {}, "Seats"), ...seats),
    far && make("label.field", {}, make("span.label", {}, "An absent player’s battle may be claimed after"), make("select.box", { "data-key": "days", onchange: (/** @type {Event} */ e) => { wish.days = Number(valueOf(e)); } }, ...[[0, "never"], [1, "a day"], [3, "three days"], [7, "a week"]].map(([n, words]) => make("option", { value: String(n), selected: wish.days === n }, String(words))))),
    make("label.field", {}, make("span.label", {}, "Clock"), make("select.box", { "data-key": "clock", onchange: (/** @type {Event} */ e) => { wish.clock = valueOf(e); } }, ...[["", "none: everybody thinks as long as he likes"], ...["10 10", "20 15", "45 30", "90 60"].map((one) => [one, clockWords(Number(one.split(" ")[0]), Number(one.split(" ")[1]))])].map(([value, words]) => make("option", { value, selected: wish.clock === value }, words)))),
    far && make("label.field", {}, make("span.label", {}, "Your name"), make("input.box", { value: settings().name, maxlength: 40, "data-key": "name", onchange: (/** @type {Event} */ e) => setSettings({ name: valueOf(e) }) })),
    (trouble || state.unserved) && make("div.refusal", { role: "alert" }, icon("no"), make("p", {}, trouble || state.unserved))),
  make("footer.slip-foot", {}, make("button.do", { type: "submit", "data-key": "lay" }, "Lay the table"), make("label.seed", {}, icon("dice"), make("span.visually-hidden", {}, "Seed of the dice"), make("input", { placeholder: "fresh dice", value: wish.seed, maxlength: 40, "data-key": "seed", title: "A chosen seed is shown to all seats", oninput: (/** @type {Event} */ e) => { wish.seed = valueOf(e); } }))));
}

/** @param {import("./types.js").BattleShown} battle  @param {string} token */
function saved(battle, token) {
  const book = state.rulesets.find((one) => one.name === battle.ruleset), rules = book?.title ?? battle.ruleset, scene = book?.scenarios.find((one) => one.name === battle.scenario);
  const title = (battle.title === battle.scenario ? scene?.title : "") || battle.title || rules;
  const named = (/** @type {string} */ side) => { const seat = battle.seats.find((one) => one.side === side); return `${capital(side)}${seat?.kind === "bot" ? " (the computer)" : seat?.name ? ` (${seat.name})` : ""}`; };
  const how = battle.ended ? `${battle.winner ? `${capital(battle.winner)} won` : "A draw"}; watch it again` : battle.your_turn ? "" : battle.waiting.length ? `${battle.role === "spectator" ? "Watching: " : ""}${battle.waiting.map(named).join(" and ")} to move` : "Under way";
  return make("li.saved-place", {}, make("a.saved", { href: `#/table/${token}` }, thumbnail(battle.ruleset, battle.scenario), make("span", {}, make("b", {}, title), make("span.n", {}, [rules, battle.turn ? `turn ${battle.turn}` : "deployment", new Date(battle.last * 1000).toLocaleDateString()].join(" · ")), how ? make("span.n", {}, how) : make("span.yours", {}, "Your move"))),
    make("button.tool.forget", { "aria-label": `Forget ${title}`, title: "Forget this battle here", onclick: () => { forgetBattle(token); loadBattles(); } }, icon("close")));
}

function shelf() {
  const tokens = keptBattles(), shown = state.battles.slice(0, 6);
  const journal = /** @type {HTMLInputElement} */ (make("input", { type: "file", accept: ".journal,.jsonl,.ndjson,.json", hidden: true, "aria-label": "A journal file", onchange: () => openJournal(journal.files?.[0]) }));
  return make("section.shelf", { "aria-label": "My battles" }, make("h2", {}, "My battles"), shown.length ? make("ul.saved-list", {}, ...shown.map((battle) => saved(battle, tokens[battle.token]?.token ?? ""))) : make("p.empty", {}, "Nothing on the table yet. Lay one, or open a journal."),
    make("div.ways", {}, make("button.else", { "data-key": "join", onclick: join }, icon("link"), "Join by link"), make("button.else", { "data-key": "journal", onclick: () => journal.click() }, icon("open"), "Open a journal"), journal));
}

function join() {
  const link = prompt("The link you were given:") ?? "", token = link.split("#/table/")[1]?.split("/")[0] ?? link.trim();
  if (token) location.hash = `#/table/${token}`;
}

/** @param {File | undefined} file */
async function openJournal(file) {
  if (!file) return;
  change({ notice: "The journal is played again; one moment." });
  try {
    const answer = await fetch("/api/journals", { method: "POST", headers: { "content-type": "application/x-ndjson" }, body: file }), told = await answer.json();
    if (!answer.ok) throw new Error(told.words ?? "The journal could not be read.");
    location.hash = `#/table/${told.links[0].token}`;
  } catch (problem) { change({ notice: String(/** @type {Error} */ (problem).message) }); }
}

/** @param {HTMLElement} root */
export function startPage(root) {
  const bar = make("header.bar", {}, wordmark(), make("nav.tools", { "aria-label": "Sandtable" })), fresh = make("main.new", { id: "start-main", tabindex: -1 }), low = make("div.shelf-place");
  const ready = make("div.ready-place"), hero = make("section.hero", { "aria-label": "Sandtable" }, make("div.hero-words", {}, make("h1", {}, "Sit down. The table knows the rules."), make("p", {}, "Miniature battles measured to the thousandth of an inch. Every number says which rule it comes from.")), ready);
  root.append(bar, hero, fresh, low);
  // The picture is for those who come by; whoever sits down at a table needs none, and many ready battles leave no room for it.
  const roomy = () => { const many = state.rulesets.filter((one) => one.scenarios.length).length; hero.classList.toggle("crowded", many > 2); return many > 0 && many < 3; };
  watch((changed) => { if (state.route === "start" && roomy() && (changed.has("route") || changed.has("rulesets")) && !hero.querySelector(".diorama")) import("./diorama.js").then(({ diorama }) => { if (!hero.querySelector(".diorama")) ready.before(diorama()); }); });
  watch((changed) => {
    if (state.route !== "start" || !["route", "rulesets", "bots", "battles", "unserved"].some((name) => changed.has(name))) return;
    const first = chosen()?.name ?? "";
    fill(/** @type {HTMLElement} */ (bar.querySelector("nav")), make("a.tool", { href: `#/rules/${first}` }, icon("rules"), "Rules"), make("a.tool", { href: `#/forces/${first}` }, icon("forces"), "Forces"), make("a.tool", { href: `#/terrain/${first}` }, icon("layers"), "Terrain"), make("button.tool.lamp-switch", { "aria-label": "Daylight or lamplight", onclick: switchLamp }, icon("lamp")));
    if (changed.has("route")) made = null;
    renew(fresh, made ? handOut() : newBattle());
    renew(low, shelf());
    if (changed.has("rulesets") || changed.has("battles") || changed.has("route")) renew(ready, readyBattles(beginReady));
  });
}
