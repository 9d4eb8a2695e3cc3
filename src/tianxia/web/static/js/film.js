// A game as a picture that moves (APNG): positions drawn by the server, put together here.

import { address, PAPER } from "./page.js";

const SIGNATURE = 8; // bytes that a PNG begins with
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

/** Make a file of the game. */
export async function made() {
  const url = `${address()}/film.svg?strip=true`;
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(answer.statusText);
  const [frames, hold, rest] = /data-frames="(\d+)" data-hold="([\d.]+) ([\d.]+)"/.exec(await answer.text()).slice(1).map(Number);
  const strip = new Image();
  strip.src = url;
  await strip.decode();
  const film = new Film(strip.naturalWidth, Math.round(strip.naturalHeight / frames));
  for (let number = 0; number < frames; number += 1) {
    await film.add(strip, number, number < frames - 1 ? hold : rest);
  }
  return film.blob();
}

/** Pixels of pictures one after the other, of which only what has changed is kept. */
class Film {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.frames = [];
    this.before = this.head = null;
    this.brush = brushOf(width, height);
  }

  async add(strip, number, seconds) {
    const { brush, width, height } = this;
    brush.fillStyle = PAPER;
    brush.fillRect(0, 0, width, height);
    brush.drawImage(strip, 0, number * height, width, height, 0, 0, width, height);
    const now = new Uint32Array(brush.getImageData(0, 0, width, height).data.buffer);
    const box = this.before ? changed(this.before, now, width) : { x: 0, y: 0, wide: width, high: height };
    this.before = now;
    if (!box) return (this.frames.at(-1).seconds += seconds);
    const part = brushOf(box.wide, box.high);
    part.drawImage(brush.canvas, -box.x, -box.y);
    const png = await new Promise((done) => part.canvas.toBlob(done, "image/png"));
    const chunks = chunksOf(new Uint8Array(await png.arrayBuffer()));
    this.head ??= chunks.find(({ type }) => type === "IHDR").data;
    this.frames.push({ ...box, seconds, data: chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data) });
  }

  blob() {
    let order = 0;
    const parts = [Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10), chunk("IHDR", this.head), chunk("acTL", numbers(this.frames.length, 0))];
    this.frames.forEach(({ x, y, wide, high, seconds, data }, number) => {
      const delay = Uint8Array.of(...short(seconds * 1000), ...short(1000), 0, 0); // stays, and lies over what was there
      parts.push(chunk("fcTL", joined([numbers(order++, wide, high, x, y), delay])));
      for (const one of data) parts.push(number ? chunk("fdAT", joined([numbers(order++), one])) : chunk("IDAT", one));
    });
    return new Blob([...parts, chunk("IEND", new Uint8Array())], { type: "image/png" });
  }
}

function brushOf(width, height) {
  return Object.assign(document.createElement("canvas"), { width, height }).getContext("2d", { willReadFrequently: true });
}

/** The smallest box around what differs; null where nothing does. */
function changed(before, now, width) {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let at = 0; at < now.length; at += 1) {
    if (before[at] === now[at]) continue;
    const x = at % width;
    bottom = (at - x) / width;
    if (top < 0) top = bottom;
    if (x < left) left = x;
    if (x > right) right = x;
  }
  return right < 0 ? null : { x: left, y: top, wide: right - left + 1, high: bottom - top + 1 };
}

/** What a PNG consists of. */
function chunksOf(bytes) {
  const view = new DataView(bytes.buffer);
  const found = [];
  for (let at = SIGNATURE; at < bytes.length; at += 12 + view.getUint32(at)) {
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    found.push({ type, data: bytes.slice(at + 8, at + 8 + view.getUint32(at)) });
  }
  return found;
}

function chunk(type, data) {
  const body = joined([Uint8Array.from(type, (letter) => letter.charCodeAt(0)), data]);
  let sum = 0xffffffff;
  for (const byte of body) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return joined([numbers(data.length), body, numbers((sum ^ 0xffffffff) >>> 0)]);
}

const short = (value) => [Math.round(value) >> 8, Math.round(value) & 255];
const numbers = (...values) => Uint8Array.from(values.flatMap((value) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]));

function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
