// Terrain and scenario: not laid yet.

import { make } from "./pen.js";
import { pageBar } from "./rules.js";
import { state, watch } from "./state.js";
import { fill } from "./pen.js";

/** @param {HTMLElement} root */
export function editorPage(root) {
  const bar = make("header.bar");
  root.append(bar);
  watch((changed) => { if (state.route === "terrain" && changed.has("route")) fill(bar, ...pageBar("terrain", "Terrain", state.path[0] ?? "")); });
}
