// A guided first game: what is said is in the fragment; here its places are marked, and it is said once.

import { say } from "./announce.js";
import { $, make, nodes, page, table } from "./page.js";

document.head.append(make("link", { rel: "stylesheet", href: new URL("../css/guide.css", import.meta.url).href }));
let said = "";

function mark() {
  for (const node of table().querySelectorAll(".is-pointed-at")) node.classList.remove("is-pointed-at");
  const box = $("guide");
  if (!box) return;
  for (const element of JSON.parse(box.dataset.points)) {
    for (const node of nodes(element)) node.classList.add("is-pointed-at");
  }
  const text = $("guide-text").textContent;
  if (text !== said) say((said = text));
}

page.addEventListener("shown", mark);
mark();
