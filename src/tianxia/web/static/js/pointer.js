// Where the pointer is: a click that is on its way must not hit what has just come there.

const SLIP = 600; // milliseconds
const CONTROL = "button:not([data-e]), a[href]";
export const FAR = 7; // pixels, before a press becomes a drag

export const aim = {
  at: null, // {x, y} of the newest click
  by: "", // with what: mouse, pen, touch, key
  slipped: null, // {node, time} of what came under it
  dragged: 0, // when something was let go

  under() {
    return this.at && (document.elementFromPoint(this.at.x, this.at.y)?.closest(CONTROL) ?? null);
  },

  check(before) {
    const now = this.under();
    if (now && now !== before) this.slipped = { node: now, time: Date.now() };
  },

  /** A click that the browser makes of the end of a drag is none. */
  justDragged() {
    return Date.now() - this.dragged < 60;
  },

  isStray(event) {
    const { node, time } = this.slipped ?? {};
    return event.detail > 0 && node === event.target.closest?.(CONTROL) && node !== undefined && Date.now() - time < SLIP;
  },
};

document.addEventListener("pointerdown", (event) => Object.assign(aim, { at: { x: event.clientX, y: event.clientY }, by: event.pointerType }), true);
document.addEventListener("keydown", () => (aim.by = "key"), true);
document.addEventListener("pointermove", (event) => {
  if (aim.at && Math.hypot(event.clientX - aim.at.x, event.clientY - aim.at.y) > FAR) aim.at = aim.slipped = null;
}, true);
document.addEventListener("click", (event) => {
  if (!aim.isStray(event)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
