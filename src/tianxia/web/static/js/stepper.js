// Stepping through a finished game, and links to one of its positions (#ply-12).

import { lineNumber, say } from "./announce.js";
import { asItIs, ask, show } from "./happenings.js";
import { $, fill, page, strings, table, wait } from "./page.js";
import { failed } from "./sending.js";
import { pace } from "./settings.js";
import * as tabs from "./tabs.js";

export const stepper = {
  ply: 0,
  going: null, // the position that is being fetched
  stops: [0], // the positions worth a look: those to which the lines of the log led
  cache: new Map(),
  playing: 0,

  get at() {
    return this.stops.findLastIndex((stop) => stop <= this.ply);
  },

  refresh() {
    if (!$("stepper")) return;
    let ply = 0;
    const led = $("stepper").dataset.led.split(" ").map((more) => Number(more) && (ply += Number(more)));
    this.stops = [...new Set([0, ...led, Number(table().dataset.plies)])].sort((a, b) => a - b);
    this.ply = this.going ?? Number(table().dataset.ply ?? table().dataset.plies);
    const last = this.stops.length - 1;
    const slider = $("stepper").querySelector("input");
    slider.max = last;
    slider.value = this.at;
    slider.setAttribute("aria-valuetext", this.where());
    $("stepper").querySelector("output").textContent = `${this.at}/${last}`;
    for (const line of $("log").querySelectorAll("li[id^=log-]")) line.classList.toggle("is-now", this.ply > 0 && led[lineNumber(line) - 1] === this.ply);
    $("from-here").href = `/t/${encodeURIComponent(table().dataset.table)}/from?ply=${this.ply}`;
    this.tell();
  },

  /** Which position it is, in words. */
  where() {
    return fill(strings.position, { n: this.at, total: this.stops.length - 1 });
  },

  /** Tell what led to the position, and bring its line into the middle of the log. */
  tell() {
    const [log, now] = [$("log"), $("log").querySelector(".is-now")];
    if (!now) {
      if (table().dataset.ply) say(this.where()); // no line led to the first one
      return;
    }
    now.closest("details")?.setAttribute("open", "");
    if (table().dataset.ply) {
      $("status").firstElementChild.append(` ${now.textContent.trim()}`);
      say(now.textContent.trim());
    }
    const offset = now.getBoundingClientRect().top - log.getBoundingClientRect().top;
    log.scrollTop += offset - log.clientHeight / 2;
  },

  async go(stop) {
    if (!$("stepper")) return;
    const inside = Math.max(0, Math.min(this.stops.length - 1, stop));
    if (inside !== stop) say(this.where()); // there is none beyond
    await this.to(this.stops[inside]);
  },

  /** Show the position after so many actions. */
  async to(ply) {
    this.ply = this.going = ply;
    // The last one is the table as it is, with all that can be done there.
    const html = ply === Number(table().dataset.plies) ? asItIs() : await this.fetch(ply, () => this.to(ply));
    if (this.going !== ply) return; // somebody was quicker
    this.going = null;
    if (!html) return;
    show(html);
    page.dispatchEvent(new Event("stepped"));
    history.replaceState(null, "", address(ply)); // who loads the page again, or copies its address, is there
  },

  async fetch(ply, again) {
    if (!this.cache.has(ply)) {
      const answer = await ask("GET", `/ply/${ply}`);
      if (!answer.ok) {
        failed(answer, again);
        return null;
      }
      this.cache.set(ply, answer.body.html);
    }
    return this.cache.get(ply);
  },

  async toggle() {
    const button = $("stepper").querySelector("[data-step=play]");
    const begin = !this.playing;
    const run = (this.playing = begin ? Date.now() : 0);
    button.setAttribute("aria-pressed", String(begin));
    if (!begin) return;
    if (this.at >= this.stops.length - 1) await this.go(0);
    while (this.playing === run && this.at < this.stops.length - 1) {
      await wait(800 * (pace() || 0.5));
      if (this.playing === run) await this.go(this.at + 1);
    }
    if (this.playing === run) this.toggle();
  },

  click(what) {
    if (what === "play") return this.toggle();
    if (this.playing) this.toggle();
    const goals = { first: 0, previous: this.at - 1, next: this.at + 1, last: this.stops.length - 1 };
    return this.go(goals[what]);
  },
};

/** The address of a position of this game, on this page. */
export function address(ply) {
  return `${location.pathname}${location.search}${ply < Number(table().dataset.plies) ? `#ply-${ply}` : ""}`;
}

/** Follow a link to a position: on this page, and from elsewhere. */
function look(ply) {
  if (!$("stepper") || !Number.isInteger(ply)) return;
  stepper.to(Math.max(0, Math.min(Number(table().dataset.plies), ply)));
  const beneath = tabs.covers() && document.activeElement.closest(".tab-panel");
  tabs.uncover();
  if (beneath) $("stepper").querySelector("[data-step=next]").focus(); // the link is out of sight
}
const wanted = () => Number.parseInt(location.hash.match(/^#ply-(\d+)$/)?.[1], 10);

addEventListener("hashchange", () => look(wanted()));
page.addEventListener("click", (event) => {
  const link = event.target.closest("[data-look]");
  if (link && location.hash === link.hash) look(wanted()); // the address stays the same
});
look(wanted());
