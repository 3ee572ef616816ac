// Making nodes: SVG and HTML, and words that keep their size while the ground is zoomed.

import { round } from "./geometry.js";

const NS = "http://www.w3.org/2000/svg";

/** An SVG node.  @param {string} name  @param {Record<string, unknown>} [attributes]  @param {...(Node | string)} children
 *  @returns {SVGElement} */
export function draw(name, attributes = {}, ...children) {
  const node = /** @type {SVGElement} */ (document.createElementNS(NS, name));
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/** @param {string} name  @param {...(Node | string)} children */
export const group = (name, ...children) => draw("g", { class: name }, ...children);

/** @typedef {Node | string | null | undefined | false} Child */

/** An HTML node. `on…` attributes are listeners, booleans set or leave out.
 *  @param {string} name  tag, then classes: "button.tool.kept"
 *  @param {Record<string, unknown>} [attributes]  @param {...Child} children  @returns {HTMLElement} */
export function make(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split("."), node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) Object.assign(node, { [key]: value });
    else if (key === "value" && "value" in node) node.value = value;
    else if (key.startsWith("aria-") && typeof value === "boolean") node.setAttribute(key, String(value));
    else if (value === true) node.setAttribute(key, "");
    else if (value !== undefined && value !== false && value !== null) node.setAttribute(key, String(value));
  }
  if (tag === "button" && !node.hasAttribute("type")) node.setAttribute("type", "button");
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
  made.set(node, { listeners: Object.keys(attributes).filter((key) => key.startsWith("on")), value: "value" in node ? String(node.value) : "" });
  return node;
}
/** What `make` gave a node that its attributes do not show. @type {WeakMap<Element, {listeners: string[], value: string}>} */
const made = new WeakMap();

/** What keeps its pixels: placed by `settle`, whatever the zoom.
 *  @param {readonly number[]} at  @param {...(Node | string)} children */
export const steady = (at, ...children) =>
  draw("g", { class: "steady", "data-x": round(at[0]), "data-y": round(at[1]) }, ...children);

/** @param {readonly number[]} at  @param {string} text  @param {string} name */
export const word = (at, text, name) => steady(at, draw("text", { class: name, dy: ".35em" }, text));

/** Give all steady words their size on the screen.  @param {SVGSVGElement} svg  @param {{width: number, height: number}} [size] of the drawing, where it is known */
export function settle(svg, { width, height } = svg.getBoundingClientRect()) {
  const box = svg.viewBox.baseVal;
  if (!width || !box?.width) return 0;
  const units = Math.max(box.width / width, box.height / height);
  svg.classList.toggle("near", units < 1 / 18);
  svg.classList.toggle("closer", units < 1 / 26);
  for (const node of svg.querySelectorAll(".steady")) {
    const { x, y } = /** @type {SVGElement} */ (node).dataset;
    node.setAttribute("transform", `translate(${x} ${y}) scale(${Math.round(units * 1e5) / 1e5})`);
  }
  return 1 / units;
}

/** Put nodes in the place of others, keeping the focus and the scroll where they have the same key.
 *  @param {Element} place  @param {...Child} children */
export function fill(place, ...children) {
  const focused = document.activeElement instanceof HTMLElement && place.contains(document.activeElement)
    ? document.activeElement.dataset.key : undefined;
  place.replaceChildren(.../** @type {(Node | string)[]} */ (children.filter((c) => c !== null && c !== undefined && c !== false)));
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
}

/** Make a place hold what other nodes show, changing only what differs: a press, a focus and a scroll under way survive.
 *  Listeners must not hold on to the nodes they are given with: those may never come to stand there.
 *  @param {Element} place  @param {...Child} children */
export function renew(place, ...children) {
  const next = make("div");
  for (const child of children) if (child !== null && child !== undefined && child !== false) next.append(child);
  alike(place, next);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof HTMLElement ? node.dataset.key ?? "" : "");

/** @param {Element} old  @param {Element} next */
function alike(old, next) {
  const keyed = new Map([...old.childNodes].filter(keyOf).map((node) => [keyOf(node), node]));
  let here = old.firstChild;
  for (const child of [...next.childNodes]) {
    while (here && keyOf(here) && keyOf(here) !== keyOf(child) && !hasKey(next, keyOf(here))) { const gone = here; here = here.nextSibling; gone.remove(); }
    const twin = keyOf(child) ? keyed.get(keyOf(child)) ?? null : here && !keyOf(here) ? here : null;
    if (!twin || !turnInto(twin, child)) { old.insertBefore(child, here); continue; }
    if (twin === here) here = here.nextSibling;
    else old.insertBefore(twin, here);
  }
  while (here) { const gone = here; here = here.nextSibling; gone.remove(); }
}

/** @param {Element} place  @param {string} key */
const hasKey = (place, key) => [...place.childNodes].some((node) => keyOf(node) === key);

/** Turn a node into another one, where it can be.  @param {Node} old  @param {Node} next */
function turnInto(old, next) {
  if (old.nodeType === Node.TEXT_NODE && next.nodeType === Node.TEXT_NODE) { if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue; return true; }
  if (!(old instanceof Element) || !(next instanceof Element) || old.tagName !== next.tagName) return false;
  const was = made.get(old), is = made.get(next);
  if (!was || !is) return old.isEqualNode(next);
  for (const { name } of [...old.attributes]) if (name !== "style" && !next.hasAttribute(name) && !(name === "open" && old instanceof HTMLDetailsElement)) old.removeAttribute(name);
  for (const { name, value } of [...next.attributes]) if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
  // The content policy lets a script set styles, but no attribute bring them.
  if (old instanceof HTMLElement && next instanceof HTMLElement && old.style.cssText !== next.style.cssText) old.style.cssText = next.style.cssText;
  for (const name of was.listeners) Object.assign(old, { [name]: null });
  for (const name of is.listeners) Object.assign(old, { [name]: /** @type {any} */ (next)[name] });
  alike(old, next);
  // What somebody types stays, unless the page has another word for it than before.
  if (is.value !== was.value && "value" in old) old.value = is.value;
  made.set(old, is);
  return true;
}

/** Give a text to the player as a file.  @param {string} text  @param {string} name */
export function saveFile(text, name) {
  const link = /** @type {HTMLAnchorElement} */ (make("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: name }));
  link.click();
  URL.revokeObjectURL(link.href);
}
