"use strict";
/* A replay: the table of any moment, put together from what was drawn and told beforehand. Nothing is computed that
   the rules would have to say. */
(() => {
  const data = JSON.parse(document.querySelector("script.data").textContent);
  const one = (selector) => document.querySelector(selector);
  const svg = one("section.board svg");
  const models = svg && svg.querySelector(".models");
  const flags = svg && svg.querySelector(".flags");
  const pencil = svg && svg.querySelector(".pencil");
  const log = one("#log");
  const lines = [...log.children];
  const slider = one("input[type=range]");
  const play = one("[data-go=play]");
  const last = Number(slider.max);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let now = -1;
  let timer = 0;

  const unit = (thousandths) => thousandths / 1000;

  /** The place in a rising list of the last entry that is not beyond a moment; -1 before the first. */
  function upTo(list, moment) {
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle] <= moment) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function was(history, moment) {
    const at = upTo(history.at, moment);
    return at < 0 ? null : history.was[at];
  }

  /* ---- models ---- */

  function arc(far, from, to) {
    const spot = (degrees) => {
      const angle = (degrees * Math.PI) / 180;
      return `${(far * Math.cos(angle)).toFixed(3)} ${(far * Math.sin(angle)).toFixed(3)}`;
    };
    return `M${spot(from)}A${far} ${far} 0 ${to - from > 180 ? 1 : 0} 1 ${spot(to)}`;
  }

  /** Harm, clockwise from the facing: what is left is thick, what is gone is a hair line. */
  function ring(look, facing, harm) {
    if (look.track <= 0) return "";
    const far = look.ring / look.scale;
    const pieces = Math.min(look.track, 24);
    const lost = Math.min(Math.max(harm, 0), look.track);
    const left = lost < look.track ? Math.max(1, Math.floor(((look.track - lost) * pieces) / look.track)) : 0;
    const width = 288 / pieces;
    let whole = "";
    let gone = "";
    for (let k = 0; k < pieces; k++) {
      const piece = arc(far, facing + 36 + k * width + 2, facing + 36 + (k + 1) * width - 2);
      if (k < left) whole += piece;
      else gone += piece;
    }
    const scaled = `transform="scale(${unit(look.scale)})"`;
    return (
      `<path class="track" ${scaled} d="${arc(far, facing + 36, facing + 324)}"/>` +
      `<path class="left" ${scaled} d="${whole}"/><path class="lost" ${scaled} d="${gone}"/>`
    );
  }

  function figure(record) {
    const [number, , , facing, harm, , , how] = record;
    const look = data.looks[number];
    const acts = how & 1;
    const tired = how & 2 ? " tired" : "";
    const turned = `transform="rotate(${facing})"`;
    const far = unit(look.shadow) / (how & 8 ? 2 : 1);
    const lamp = ["acts-under", "acts"].map(
      (name) => `<circle class="${name}" transform="scale(${unit(look.scale)})" r="${look.ring / look.scale + 0.44}"/>`,
    );
    return (
      `<path class="model-shadow" transform="translate(${far} ${far}) rotate(${facing})" d="${look.base}"/>` +
      ring(look, facing, harm) +
      (acts ? lamp.join("") : "") +
      `<path class="wedge" ${turned} d="${look.wedge}"/><path class="base${tired}" ${turned} d="${look.base}"/>` +
      `<path class="inner" ${turned} d="${look.inner}"/><g${how & 8 ? ' transform="rotate(90)"' : ""}>${look.type}</g>`
    );
  }

  function flag(record) {
    const [number, , , , , level, badges, how] = record;
    const look = data.looks[number];
    const foot = how & 4 ? 0 : unit(look.foot);
    const lowered = how & 2 ? 13 : 0;
    const corner = unit(look.outer) * 0.92;
    const pole =
      `<line class="pole-under" y2="-29"/><line class="pole" y2="-29"/>` +
      `<circle class="${how & 1 ? "finial-lit" : "finial"}" cy="-30" r="${how & 1 ? 4 : 2.2}"/>` +
      `<g transform="translate(.8 ${-27.5 + lowered})">${look.cloth}</g>`;
    const signs = badges.map((badge, n) => `<g transform="translate(${-9 - n * 20} 7)">${data.badges[badge]}</g>`);
    const height = level ? `<text class="height stands" x="14" y="4">▲${level}</text>` : "";
    return (
      `<g class="steady" data-x="${foot}" data-y="${-foot}">${pole}</g>` +
      (how & 4 ? "" : `<g class="steady" data-x="${-corner}" data-y="${corner}">${signs.join("")}</g>`) +
      `<g class="steady" data-x="${corner}" data-y="${corner}">${height}</g>`
    );
  }

  const shown = data.things.map(() => ({ record: undefined, figure: null, flag: null }));

  function group(layer) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", "g");
    layer.append(made);
    return made;
  }

  function drawThing(n, record) {
    const held = shown[n];
    if (held.record === record || !svg) return;
    held.record = record;
    held.figure = held.figure || group(models);
    held.flag = held.flag || group(flags);
    const away = !record || record[1] === null;
    for (const made of [held.figure, held.flag]) made.style.display = away ? "none" : "";
    if (away) return;
    const look = data.looks[record[0]];
    const place = `translate(${unit(record[1])}px, ${unit(record[2])}px)`;
    held.figure.setAttribute("class", `model ${look.look}`);
    held.flag.setAttribute("class", `${look.look}${record[7] & 2 ? " lowered" : ""}`);
    held.figure.innerHTML = record[7] & 4 ? "" : figure(record);
    held.flag.innerHTML = flag(record);
    held.figure.style.transform = place;
    held.flag.style.transform = place;
    steady(held.flag);
  }

  /* ---- words that keep their pixels ---- */

  function pixel() {
    const scale = svg.getScreenCTM()?.a || 18;
    return (scale < 10 ? 0.72 : 1) / scale;
  }

  function steady(root) {
    const scale = pixel();
    for (const word of root.querySelectorAll(".steady")) {
      if (word.dataset.x === undefined) {
        const [, x, y] = /translate\(([-.\d]+) ([-.\d]+)\)/.exec(word.getAttribute("transform")) || [0, 0, 0];
        word.dataset.x = x;
        word.dataset.y = y;
      }
      word.setAttribute("transform", `translate(${word.dataset.x} ${word.dataset.y}) scale(${scale})`);
    }
  }

  /* ---- terrain ---- */

  const land = data.pieces.map((spans, n) => ({
    spans,
    drawn: svg ? [...svg.querySelectorAll(`[data-piece="${n}"],[data-with="${n}"]`)] : [],
  }));

  function drawLand(moment) {
    for (const { spans, drawn } of land) {
      const lies = upTo(spans, moment) % 2 === 0;
      for (const made of drawn) made.style.display = lies ? "" : "none";
    }
  }

  /* ---- forces, in words ---- */

  const rows = one(".rows");

  function drawForces(records) {
    const sides = new Map(data.sides.map((side) => [side, []]));
    for (const record of records) {
      if (!record || !data.looks[record[0]].model) continue;
      const look = data.looks[record[0]];
      if (!sides.has(look.side)) sides.set(look.side, []);
      sides.get(look.side).push([look, record]);
    }
    rows.replaceChildren(
      ...[...sides].filter(([, found]) => found.length).map(([side, found]) => sideRows(side, found)),
    );
  }

  function element(tag, looks, ...inside) {
    const made = document.createElement(tag);
    if (looks) made.className = looks;
    made.append(...inside);
    return made;
  }

  function sideRows(side, found) {
    const list = element("ul", "");
    for (const [look, record] of found) {
      const meter = element("span", "meter");
      meter.setAttribute("aria-hidden", "true");
      for (let k = 0; k < Math.min(look.track, 24); k++) {
        meter.append(element("i", k < look.track - record[4] ? "" : "gone"));
      }
      const row = element("li", `${look.look}${record[7] & 1 ? " acts" : ""}${record[1] === null ? " away" : ""}`);
      row.append(element("b", "call", look.name), meter, element("span", "said", data.words[record[8]]));
      list.append(row);
    }
    return element("div", "", element("h3", "", `${data.marks[side] || ""} ${side}`), list);
  }

  /* ---- a moment ---- */

  function show(moment, { follow = true, say = true } = {}) {
    moment = Math.min(last, Math.max(0, moment));
    if (moment === now || !lines.length) return;
    const near = now >= 0 && Math.abs(moment - now) === 1 && !still.matches;
    document.body.classList.toggle("calm", near);
    if (now >= 0) {
      lines[now].classList.remove("now");
      lines[now].removeAttribute("aria-current");
    }
    now = moment;
    const records = data.things.map((history) => was(history, now));
    if (svg) {
      drawLand(now);
      records.forEach((record, n) => drawThing(n, record));
      pencil.innerHTML = data.pencil[now] || "";
    }
    drawForces(records);
    const line = lines[now];
    line.classList.add("now");
    line.setAttribute("aria-current", "true");
    if (follow) log.scrollTop = line.offsetTop - (log.clientHeight - line.clientHeight) / 2;
    slider.value = String(now);
    const head = was(data.heads, now) || "";
    one(".head").textContent = head;
    slider.setAttribute("aria-valuetext", `event ${line.querySelector(".at").textContent}. ${head}`);
    if (say) one(".live").textContent = line.querySelector("p").textContent;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    document.body.classList.remove("playing");
    play.setAttribute("aria-pressed", "false");
    play.setAttribute("aria-label", "Play");
  }

  function start() {
    if (now >= last) show(0);
    document.body.classList.add("playing");
    play.setAttribute("aria-pressed", "true");
    play.setAttribute("aria-label", "Pause");
    timer = setInterval(() => (now >= last ? stop() : show(now + 1, { say: false })), 500);
  }

  const goes = {
    first: () => show(0),
    last: () => show(last),
    back: () => show(now - 1),
    on: () => show(now + 1),
    "step-back": () => show(data.steps[upTo(data.steps, now - 1)] || 0),
    "step-on": () => show(data.steps[upTo(data.steps, now) + 1] ?? last),
    play: () => (timer ? stop() : start()),
  };

  function go(how) {
    if (how !== "play" && timer) stop();
    goes[how]();
  }

  /* ---- light and dark: the picture's night stands in media rules, which are switched ---- */

  let dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const nights = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule.media && /prefers-color-scheme/.test(rule.media.mediaText));

  function theme(wanted) {
    dark = wanted;
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
    for (const rule of nights) rule.media.mediaText = dark ? "all" : "not all";
  }

  /* ---- what the reader does ---- */

  function openRule(name) {
    const rule = document.getElementById(name);
    if (!rule || !rule.matches("article")) return false;
    const card = one(".rule-card");
    card.firstElementChild.innerHTML = rule.innerHTML;
    card.showModal();
    return true;
  }

  document.addEventListener("click", (event) => {
    const target = event.target;
    const link = target.closest("a[href^='#r']");
    if (link && openRule(link.getAttribute("href").slice(1))) {
      event.preventDefault();
      return;
    }
    const button = target.closest("[data-go]");
    if (button) go(button.dataset.go);
    const line = target.closest("#log > li");
    if (line && !link) {
      stop();
      show(Number(line.dataset.at), { follow: false });
    }
    if (target.closest(".theme")) theme(!dark);
    if (target.closest(".keys")) one(".key-card").showModal();
    if (target.matches("dialog")) target.close();
  });

  slider.addEventListener("input", () => {
    stop();
    show(Number(slider.value));
  });

  const keys = {
    ",": "back",
    ".": "on",
    ArrowLeft: "back",
    ArrowRight: "on",
    "[": "step-back",
    "]": "step-on",
    Home: "first",
    End: "last",
    " ": "play",
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || one("dialog[open]")) return;
    if (event.key === "?") one(".key-card").showModal();
    else if (event.key === "t") theme(!dark);
    else if (event.key in keys) {
      if (event.key === " " && event.target instanceof Element && event.target.closest("button, a")) return;
      go(keys[event.key]);
    } else return;
    event.preventDefault();
  });

  addEventListener("resize", () => svg && steady(svg));
  if (svg) {
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    steady(svg);
  }
  document.body.classList.add("live-page");
  const wanted = /^#event-(\d+)$/.exec(location.hash);
  const numbers = lines.map((line) => Number(line.querySelector(".at").textContent));
  show(wanted ? upTo(numbers, Number(wanted[1])) : 0, { say: false });
})();
