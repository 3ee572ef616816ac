// Chat, beside the board: a part of the left column at a desk, a sheet on a phone. It comes when it is first opened.

import { icon, mark } from "./icons.js";
import { make, renew } from "./pen.js";
import { say } from "./session.js";
import { setSettings, settings } from "./shelf.js";
import { change, state } from "./state.js";
import { capital } from "./table-words.js";

/** Who says something, as the others read it.  @param {import("./types.js").ChatLine} line */
const speaker = (line) => line.name || (line.side ? capital(line.side) : "A spectator");

/** Who sits where, and who is away. */
const company = () => `${state.seats.map((seat) => `${capital(seat.side)}: ${seat.kind === "bot" ? "the computer" : seat.name || "a player"}${seat.here || seat.kind === "bot" ? "" : " (away)"}`).join(", ")}${state.spectators ? `; ${state.spectators} watching` : ""}.`;

/** @param {string} name */
function rename(name) {
  setSettings({ name });
  say({ say: "name", name }, name ? `You are called ${name}.` : "You have no name.");
}

const lines = make("div.chat-lines", { role: "log", "aria-label": "What was said", tabindex: 0 }), who = make("p.note");
const input = /** @type {HTMLInputElement} */ (make("input.box", { maxlength: 500, "aria-label": "What you say", placeholder: "Say something", autocomplete: "off", "data-key": "chat-text" }));
const called = /** @type {HTMLInputElement} */ (make("input.box.small", { maxlength: 40, placeholder: "no name yet", autocomplete: "nickname", "data-key": "chat-name", onchange: () => rename(called.value.trim()) }));
const head = make("header.chat-head", {}, make("h2.label", {}, "Chat"), make("label.called", {}, make("span.visually-hidden", {}, "Your name"), called), make("button.tool", { "aria-label": "Close the chat", "data-key": "close-chat", onclick: () => change({ tab: "table" }) }, icon("close")));
const form = make("form.chat-form", { onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); const text = input.value.trim(); if (text) { say({ say: "chat", text }); input.value = ""; } } }, input, make("button.else", { type: "submit" }, "Say it"));

/** @param {HTMLElement} place */
export function drawChat(place) {
  if (!place.contains(form)) { place.append(head, who, lines, form); called.value = settings().name; input.focus(); }
  who.textContent = company();
  renew(lines, ...(state.chat.length ? state.chat.map((line) => make("p", {}, line.side ? mark(line.side) : null, make("b", {}, ` ${speaker(line)}: `), line.text)) : [make("p.empty", {}, "Nobody has said anything yet.")]));
  lines.scrollTop = lines.scrollHeight;
}
