// On a phone the slip is a sheet: peek, half or full; dragged by its band, or pressed.

/** How high each stand is, in parts of the screen. */
const STANDS = /** @type {[string, number][]} */ ([["peek", .17], ["half", .52], ["full", .88]]);
export const narrow = () => matchMedia("(max-width: 700px)").matches;

/** @param {HTMLElement} place  @param {string} stand */
function stand(place, stand) {
  place.dataset.sheet = stand;
  place.style.height = "";
}

/** The next stand by pressing: half and peek by turns, from full back to half.  @param {HTMLElement} place */
export const nextStand = (place) => stand(place, place.dataset.sheet === "half" ? "full" : place.dataset.sheet === "full" ? "peek" : "half");

/** Let the sheet be dragged; where it is left decides which stand it takes.  @param {HTMLElement} place */
export function dragSheet(place) {
  let from = 0, tall = 0, moved = false, held = -1;
  stand(place, "half");
  place.addEventListener("pointerdown", (event) => {
    if (!narrow() || !(event.target instanceof Element) || !event.target.closest(".slip-band, .slip-head")) return;
    [from, tall, moved, held] = [event.clientY, place.getBoundingClientRect().height, false, event.pointerId];
  });
  place.addEventListener("pointermove", (event) => {
    if (event.pointerId !== held) return;
    const up = from - event.clientY;
    if (!moved && Math.abs(up) < 6) return;
    if (!moved) place.setPointerCapture(held);
    moved = true;
    place.style.height = `${Math.max(70, Math.min(innerHeight * .9, tall + up))}px`;
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== held) return;
    held = -1;
    if (!moved) return;
    const share = place.getBoundingClientRect().height / innerHeight;
    stand(place, [...STANDS].sort((a, b) => Math.abs(a[1] - share) - Math.abs(b[1] - share))[0][0]);
  };
  place.addEventListener("pointerup", end);
  place.addEventListener("pointercancel", end);
}
