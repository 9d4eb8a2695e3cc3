// What a tab shows beside the board; on a phone, where there is no room beside it, over it.
// What is chosen stands in `data-tab` of the page, so that a new fragment changes nothing of it.

const page = document.getElementById("table-page");
const beside = matchMedia("(min-width: 60rem) and (min-height: 34.01rem)");
const USUAL = "log";

const button = (name) => document.getElementById(`tab-${name}`);
const panel = (name) => page.querySelector(`[data-panel="${name}"]`);

/** The tab that is shown; "" where none is. */
export const shown = () => page.dataset.tab ?? (beside.matches ? USUAL : "");

/** Whether what is shown lies over the board. */
export const covers = () => !beside.matches && shown() !== "";

export function open(name) {
  if (!button(name)) return;
  page.dataset.tab = name;
  dress();
  page.dispatchEvent(new Event("tab"));
}

/** Show a tab where there is room for it beside the board; else say by its number that it is there. */
export function invite(name) {
  if (beside.matches) open(name);
  else count(name, 1);
}

export function close() {
  delete page.dataset.tab;
  dress();
  page.dispatchEvent(new Event("tab"));
}

/** Put away what lies over the board. */
export const uncover = () => covers() && close();

/** Show a tab; one that lies over the board is put away when it is asked for again. */
export function toggle(name) {
  if (covers() && shown() === name) close();
  else open(name);
}

/** Show a number of new things on a tab, with words for it; 0: none. */
export function count(name, number, words = "") {
  const badge = button(name)?.querySelector(".tab-count");
  if (!badge) return;
  badge.hidden = !number;
  badge.textContent = number || "";
  badge.title = words;
}

/** Offer the tabs that have something to show. */
export function dress() {
  for (const tab of page.querySelectorAll("#tabs [data-tab]")) {
    const name = tab.dataset.tab;
    tab.hidden = !panel(name)?.querySelector(":scope > :not([hidden])");
    tab.setAttribute("aria-expanded", String(name === shown()));
  }
  if (page.dataset.tab && button(page.dataset.tab)?.hidden) close();
}

page.addEventListener("click", (event) => {
  const name = event.target.closest("a[data-shows]")?.dataset.shows; // a page for those without a script
  if (!name || !button(name) || button(name).hidden) return;
  event.preventDefault();
  open(name);
});
beside.addEventListener("change", dress);
