// The first thing that runs: which page the address names, and what only that page needs, asked for while the rest still comes.

export const ROUTES = ["start", "table", "rules", "forces", "terrain"];

/** The page that the address names, and the rest of the address. */
export function whither() {
  const [name, ...path] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return [ROUTES.includes(name) ? name : "start", ...path];
}

/** A style sheet that only some pages need; when this is done it holds.  @param {string} name  @returns {Promise<void>} */
export function styled(name) {
  const known = document.head.querySelector(`link[href="css/${name}"]`);
  if (known) return Promise.resolve();
  return new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `css/${name}`, onload: () => done(), onerror: () => { link.remove(); failed(new Error(name)); } });
    document.head.append(link);
  });
}

/** Pages that nobody needs to see a table: they come when they are first asked for. @type {Record<string, () => Promise<(view: HTMLElement) => void>>} */
const LATER = {
  start: async () => (await Promise.all([import("./start.js"), styled("start.css")]))[0].startPage,
  rules: async () => (await Promise.all([import("./rules.js"), styled("reading.css")]))[0].rulesPage,
  forces: async () => (await Promise.all([import("./cards.js"), styled("reading.css")]))[0].cardsPage,
  terrain: async () => (await Promise.all([import("./editor.js"), styled("reading.css")]))[0].editorPage,
};
/** @type {Record<string, Promise<(view: HTMLElement) => void>>} */
const coming = {};

/** What puts a page together that is not there from the beginning, once it has come; none for the table. What did not come is asked for anew.  @param {string} name */
export function pageOf(name) {
  if (LATER[name] && !coming[name]) {
    coming[name] = LATER[name]();
    coming[name].catch(() => { delete coming[name]; });
  }
  return coming[name];
}

/** @typedef {{token: string, socket: WebSocket, told: string[]}} Early  A line that was opened before anybody could listen, and what was told on it. */

/** Where battles are talked of. */
export const lineAddress = () => `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/api/table`;

/** Take a seat at once: what the server says to it waits until somebody listens.  @param {string} token  @returns {Early} */
function sitEarly(token) {
  const socket = new WebSocket(lineAddress()), told = /** @type {string[]} */ ([]);
  socket.onopen = () => socket.send(JSON.stringify({ say: "sit", token, side: "", since: 0, id: 1 }));
  socket.onmessage = (message) => told.push(message.data);
  return { token, socket, told };
}

const [first, seat] = whither();
let early = first === "table" && seat ? sitEarly(seat) : null;
/** The line that was opened already for a seat, for whoever listens from now on; none but the first time.  @param {string} token */
export function takeLine(token) {
  const line = early?.token === token ? early : null;
  early = null;
  return line;
}

pageOf(first);
