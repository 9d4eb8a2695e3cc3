// The live connection: what happens at the table comes by it.

import { say } from "./announce.js";
import { receive, resync } from "./happenings.js";
import { $, address, page, strings } from "./page.js";
import { state } from "./state.js";

const SILENCE = 45000;
// Milliseconds that a lost line is kept quiet about.
const UNSAID = 1200;
// And that one may take to open.
const OPENING = 8000;
export const live = {
  socket: null,
  tries: 0,
  timer: 0,
  // Anything at all.
  heard: Date.now(),
  // A timer: says that the line is lost, unless it is soon back.
  missed: 0,
  // That it is lost.
  told: false,
  isOpen: () => live.socket?.readyState === WebSocket.OPEN,

  connect() {
    clearTimeout(this.timer);
    if (this.socket && this.socket.readyState < WebSocket.CLOSING) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const [talk, gallery] = ["talk", "gallery-lines"].map((id) => $(id)?.dataset.version ?? "");
    // With whom one looks at the game.
    const company = new URLSearchParams(location.search).get("together") ?? "";
    const known = new URLSearchParams({ version: state.newest, talk, gallery, company, page: state.name });
    const socket = new WebSocket(`${scheme}://${location.host}${address("/live")}?${known}`);
    this.socket = socket;
    this.timer = setTimeout(() => this.give_up(socket), OPENING);
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => {
      this.heard = Date.now();
      const message = JSON.parse(event.data);
      const beside = ["talk", "gallery", "company"].find((name) => message[name]);
      if (beside) return page.dispatchEvent(new CustomEvent(beside, { detail: message[beside] }));
      if (message.html || message.parts) state.brought += 1;
      receive(message);
    };
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  },

  opened() {
    this.heard = Date.now();
    clearTimeout(this.timer);
    clearTimeout(this.missed);
    if (this.told) say(strings.back);
    this.tries = this.missed = 0;
    this.told = false;
    $("banner").hidden = true;
  },

  lost() {
    this.socket = null;
    this.tries += 1;
    // A server that was restarted is soon back: for a moment nothing is said.
    this.missed ||= setTimeout(() => this.tell(), UNSAID);
    const pause = Math.min(15000, 250 * 2 ** Math.min(this.tries, 6)) * (0.75 + Math.random() / 2);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.tries === 1 ? 100 : pause);
  },

  tell() {
    this.told = true;
    Object.assign($("banner"), { textContent: strings.lost, hidden: false });
  },

  /** A line that does not open is none; another one is tried. */
  give_up(socket) {
    if (this.socket !== socket || socket.readyState !== WebSocket.CONNECTING) return;
    this.lost();
    socket.close();
  },

  /** This device has lost its own line to the world. */
  offline() {
    if (!this.socket) return this.tell();
    const gone = this.socket;
    this.lost();
    this.tell();
    gone.close();
  },

  /** Come back from sleep, from another window, from a tunnel. */
  wake() {
    if (document.hidden) return;
    if (!this.isOpen()) return this.connect();
    if (Date.now() - this.heard > 5000) resync();
  },

  /** The server beats every 20 seconds; where nothing comes, the line is dead. */
  watch() {
    if (!this.isOpen() || Date.now() - this.heard < SILENCE) return;
    const silent = this.socket;
    this.lost();
    silent.close();
  },

  leave() {
    clearTimeout(this.timer);
    clearTimeout(this.missed);
    this.missed = 0;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  },
};
