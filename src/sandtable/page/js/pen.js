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
    if (key.startsWith("on")) node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (key === "value" && "value" in node) node.value = value;
    else if (key.startsWith("aria-") && typeof value === "boolean") node.setAttribute(key, String(value));
    else if (value === true) node.setAttribute(key, "");
    else if (value !== undefined && value !== false && value !== null) node.setAttribute(key, String(value));
  }
  if (tag === "button" && !node.hasAttribute("type")) node.setAttribute("type", "button");
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}

/** What keeps its pixels: placed by `settle`, whatever the zoom.
 *  @param {readonly number[]} at  @param {...(Node | string)} children */
export const steady = (at, ...children) =>
  draw("g", { class: "steady", "data-x": round(at[0]), "data-y": round(at[1]) }, ...children);

/** @param {readonly number[]} at  @param {string} text  @param {string} name */
export const word = (at, text, name) => steady(at, draw("text", { class: name, dy: ".35em" }, text));

/** Give all steady words their size on the screen.  @param {SVGSVGElement} svg */
export function settle(svg) {
  const { width, height } = svg.getBoundingClientRect(), box = svg.viewBox.baseVal;
  if (!width || !box?.width) return 0;
  const units = Math.max(box.width / width, box.height / height);
  svg.classList.toggle("near", units < 1 / 18);
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
