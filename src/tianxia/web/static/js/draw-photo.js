// Of the editor of boards: a photo of a board beneath the drawing, to be traced. It stays in this browser.
// It is painted by hand on a canvas: an <img> of a file would need an exception in the policy of the pages.

import { button, node } from "./draw-nodes.js";

const LARGEST = 2400; // pixels: what a phone's camera makes is more than anybody sees
const STEP = 1.1;
const QUARTER = Math.PI / 2;
const NUDGE = 10; // units of the drawing

/** @param {any} bench @param {any} words @param {number[]} canvas its size, in units of the drawing */
export function photoOf({ $, view, say }, words, [width, height]) {
  const sheet = $("sheet");
  const paper = $("photo");
  /** @type {ImageBitmap | null} */
  let image = null;
  const lie = { x: 0, y: 0, scale: 1, angle: 0 }; // its middle, in units of the drawing; units a pixel is wide

  const file = node("input", { type: "file", accept: "image/*", id: "photo-file", onchange: take });
  const choose = node("label", { className: "button draw-tool draw-file", textContent: words.photo_choose });
  const strength = node("input", { type: "range", min: "0", max: "1", step: "0.05", value: "0.8", oninput: paint });
  const row = node("div", { className: "row draw-photo" });
  const tools = [
    node("label", { className: "draw-strength", textContent: words.photo_strength }),
    button(words.photo_turn, () => change({ angle: lie.angle + QUARTER })),
    button(words.photo_larger, () => change({ scale: lie.scale * STEP })),
    button(words.photo_smaller, () => change({ scale: lie.scale / STEP })),
    button(words.photo_remove, remove),
  ];
  choose.append(file);
  tools[0].append(strength);
  row.append(choose, ...tools);

  async function take() {
    const [chosen] = file.files;
    file.value = "";
    if (!chosen) return;
    try {
      const found = await createImageBitmap(chosen);
      const most = Math.max(found.width, found.height);
      image?.close();
      image = most > LARGEST ? await createImageBitmap(found, { resizeWidth: Math.round((found.width * LARGEST) / most), resizeQuality: "high" }) : found;
    } catch {
      return say(words.photo_none);
    }
    change({ x: width / 2, y: height / 2, angle: 0, scale: Math.min(width / image.width, height / image.height) });
  }

  function remove() {
    image?.close();
    image = null;
    paint();
  }

  /** @param {Partial<typeof lie>} part */
  function change(part) {
    Object.assign(lie, part);
    paint();
  }

  function paint() {
    for (const tool of tools) tool.hidden = !image;
    paper.hidden = !image;
    sheet.classList.toggle("has-photo", !!image);
    if (!image) return;
    sheet.style.setProperty("--land", String(1 - Number(strength.value)));
    const sharp = devicePixelRatio;
    paper.width = Math.round(sheet.clientWidth * sharp); // which clears it
    paper.height = Math.round(sheet.clientHeight * sharp);
    const [left, top] = view.box();
    const scale = view.scale() * sharp;
    const brush = paper.getContext("2d");
    brush.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
    brush.translate(lie.x, lie.y);
    brush.rotate(lie.angle);
    brush.scale(lie.scale, lie.scale);
    brush.drawImage(image, -image.width / 2, -image.height / 2);
  }
  sheet.addEventListener("view", paint);
  paint();

  return {
    row,
    /** One finger, or the mouse, takes it along. @param {PointerEvent} event */
    grab(event) {
      const [x, y] = view.at(event);
      const before = { ...lie };
      return {
        move: (/** @type {PointerEvent} */ now) => change({ x: before.x + view.at(now)[0] - x, y: before.y + view.at(now)[1] - y }),
        drop: () => {},
        cancel: () => change(before),
      };
    },
    /** Two fingers turn it and make it larger round the point between them. @param {any} from @param {any} to */
    pinch(from, to) {
      const [x, y] = view.at({ clientX: from.x, clientY: from.y });
      const [nextX, nextY] = view.at({ clientX: to.x, clientY: to.y });
      const [factor, turn] = [to.distance / from.distance, to.angle - from.angle];
      const [right, down] = [(lie.x - x) * factor, (lie.y - y) * factor];
      change({
        x: nextX + right * Math.cos(turn) - down * Math.sin(turn), y: nextY + right * Math.sin(turn) + down * Math.cos(turn),
        scale: lie.scale * factor, angle: lie.angle + turn,
      });
    },
    /** @param {[number, number]} direction */
    nudge: ([right, down]) => change({ x: lie.x + NUDGE * right, y: lie.y + NUDGE * down }),
    has: () => image !== null,
  };
}
