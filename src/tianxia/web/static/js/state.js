// How a table's page stands: what several of its modules read and change.

import { table } from "./page.js";

/**
 * A gesture as the server sends it: `a` its action, `s` the parts to be clicked, `l` its name,
 * `f` ends the turn, `p` is foretold, `u` what it puts there.
 * @typedef {{a: number, s: Array, l: string, f?: boolean, p?: boolean, u?: string}} Gesture
 *
 * @typedef {object} State
 * @property {{gestures: Gesture[], decision: number, arrangement?: ?object, partial?: boolean, first?: ?Gesture[],
 *   ahead?: Object<string, string[]>, premoves?: Object<string, string[]>,
 *   together?: {label: string, hint: string}}} data What the fragment on the page says.
 * @property {string[]} clicks What has been clicked of a gesture that is not complete yet.
 * @property {?string[]} doubted The clicks of which the page asks whether they are meant.
 * @property {?string} current The element that the Tab key reaches.
 * @property {?{mark: function(): void, end: function(): void}} sending Stands for what was sent and is not
 *   answered yet; null once what follows is on the page.
 * @property {Set<{mark: function(): void, end: function(): void}>} asked What the server is asked for a click,
 *   sent things among it.
 * @property {?Promise<void>} further The gestures that are asked for.
 * @property {?Gesture} doing The gesture that is sent.
 * @property {function(): boolean} repeatable Says whether what has failed could be tried again on the page as it is.
 * @property {string} name What this page calls itself, so that an answer to it is not pushed as well.
 * @property {string} newest The version of the newest fragment.
 * @property {Element} latest That fragment, as the server has drawn it: what is sent later are parts of it.
 * @property {number} brought How many fragments the live connection has brought.
 * @property {boolean} pumping Whether happenings are being shown.
 * @property {?function(boolean): void} hurry While a step is held: goes on to the next.
 * @property {boolean} skipping Whether somebody wants to see how things stand in the end, and not how it came to that.
 * @property {object} arrange The tray of a set-up: its code is fetched where a game has one.
 * @property {?object} ghost Shows what is done before the server has answered; fetched when the page stands.
 * @property {?object} marching Sends several pieces the same way; fetched where a game lets them go as one.
 * @property {?object} premove Fetched when something is set in advance, or was before the page was loaded.
 */

/** @type {State} */
export const state = {
  name: Math.random().toString(36).slice(2),
  data: { gestures: [], decision: 0, arrangement: null },
  clicks: [],
  doubted: null,
  current: null,
  sending: null,
  asked: new Set(),
  further: null,
  doing: null,
  repeatable: () => true,
  newest: table().dataset.version,
  latest: table().cloneNode(true),
  brought: 0,
  pumping: false,
  hurry: null,
  skipping: false,
  arrange: { on: false, hand: null, begin: null, drop() {} },
  ghost: null,
  marching: null,
  premove: null,
};

export const decision = () => state.data.decision;
