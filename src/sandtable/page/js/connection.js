// The line to the server: HTTP for what stands still, one socket for the battle. It comes back by itself.

import { lineAddress, takeLine } from "./first.js";
import { change, state } from "./state.js";

/** @import { FromPage, ToPage } from "./types.js" */

const API = "/api";
/** How long to wait before the line is tried again, in seconds. */
const WAITS = [1, 2, 3, 5, 8, 15];

/** What the server says instead of serving: a word for programs, a sentence for people. */
export class Unserved extends Error {
  /** @param {string} why  @param {string} words  @param {number} status */
  constructor(why, words, status) {
    super(words);
    this.why = why;
    this.status = status;
  }
}

/** Ask the server something.  @param {string} path  @param {unknown} [body] given, it is posted  @param {string} [token]  @returns {Promise<any>} */
export async function ask(path, body, token = "") {
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(API + path, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Unserved("line", "The server does not answer. Is it running?", 0);
  }
  const told = await answer.text();
  let data = null;
  try { data = told ? JSON.parse(told) : null; } catch { data = told; }
  if (!answer.ok) throw new Unserved(data?.why ?? "", data?.words ?? data?.detail ?? `The server says ${answer.status}.`, answer.status);
  return data;
}

/** The socket of one battle. */
export class Line {
  /** @param {string} token  @param {(message: ToPage) => void} hear */
  constructor(token, hear) {
    this.token = token;
    this.hear = hear;
    this.side = "";
    this.tried = 0;
    this.last = 0;
    this.closed = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Map<number, (message: ToPage) => void>} */
    this.asked = new Map();
    // A browser that knows it is offline need not wait for the line to time out.
    addEventListener("offline", () => this.socket?.close());
    this.open();
  }

  open() {
    const early = takeLine(this.token), socket = early?.socket ?? new WebSocket(lineAddress());
    this.socket = socket;
    if (early) this.last = 1;
    else socket.onopen = () => {
      this.tried = 0;
      this.sit(this.side, state.log.length);
    };
    socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    const gone = () => {
      if (this.closed || this.socket !== socket) return;
      this.asked.clear();
      change({ sent: "" });
      this.waitFor(WAITS[Math.min(this.tried++, WAITS.length - 1)]);
    };
    socket.onclose = gone;
    // What was told before is heard once whoever listens is ready for it.
    if (early) queueMicrotask(() => { for (const message of early.told) this.receive(JSON.parse(message)); if (socket.readyState > WebSocket.OPEN) gone(); });
  }

  /** @param {number} seconds */
  waitFor(seconds) {
    if (this.closed) return;
    if (seconds <= 0) { this.open(); return; }
    change({ line: "down", wait: seconds });
    setTimeout(() => this.waitFor(seconds - 1), 1000);
  }

  /** Take the seat, or another side of a hot seat.  @param {string} side  @param {number} since */
  sit(side, since) {
    this.side = side;
    this.say({ say: "sit", token: this.token, side, since });
  }

  /** Say something; what comes back because of it goes to `then`.
   *  @param {FromPage} message  @param {(message: ToPage) => void} [then]  @returns {number} its id, 0 while the line is down */
  say(message, then) {
    if (this.socket?.readyState !== WebSocket.OPEN) return 0;
    const id = ++this.last;
    if (then) this.asked.set(id, then);
    this.socket.send(JSON.stringify({ ...message, id }));
    return id;
  }

  /** @param {ToPage} message */
  receive(message) {
    const then = message.id ? this.asked.get(message.id) : undefined;
    if (then) this.asked.delete(message.id);
    if (message.tell === "wrong" && message.why === "gone") {
      this.close();
      change({ line: "gone", notice: message.words });
      return;
    }
    if (state.line !== "up") change({ line: "up", wait: 0 });
    if (then && !["welcome", "situation"].includes(message.tell)) then(message);
    else this.hear(message);
  }

  close() {
    this.closed = true;
    this.socket?.close();
  }
}
