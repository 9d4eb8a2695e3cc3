// What somebody has chosen for this browser, and what else it keeps.

import { $, calm, table } from "./page.js";

export const store = {
  get(key, otherwise, where = "localStorage") {
    try {
      return JSON.parse(window[where].getItem(`tianxia:${key}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(key, value, where = "localStorage") {
    try {
      window[where].setItem(`tianxia:${key}`, JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  },
};

export const settings = { steps: false, ask: false, keys: true, hover: true, speed: "", sounds: false, ...store.get("settings", {}) };
export const setting = (name) => settings[name];

/** How many times as long as usual things are shown; 0: what has happened is there at once. */
export const pace = (usual = 1) => ({ slow: 2, normal: 1, once: 0 })[settings.speed] ?? usual;
/** How long that is in milliseconds, for what moves. */
export const lasting = (ms) => ms * pace(calm.matches ? 0 : 1);

/** The seal of chance that this browser was shown first: a server could show another one later. */
export function firstSeal() {
  const shelf = `seal:${table().dataset.table}`;
  const shown = $("chance")?.dataset.seal;
  const first = store.get(shelf, null) ?? shown;
  if (shown) store.set(shelf, first);
  return first;
}

/** Where a move that is set in advance is kept: it is this page's, and of this seat. */
export const wish = () => [`premove:${table().dataset.table}:${table().dataset.viewer}`, null, "sessionStorage"];
