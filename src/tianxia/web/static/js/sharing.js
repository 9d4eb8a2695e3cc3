// Handing a link on: as a code for a camera, by the sheet of a phone, copied; and a picture of it.

import { toast } from "./announce.js";
import { $, address, make, PAPER, strings, table } from "./page.js";

const dialog = $("share-dialog");
let text; // what is said beside the link, such as who has won
let query = ""; // which position is handed on; "": the table as it stands

/** Show the link beside a button; where there is none, the one to the position that is shown. */
export function share(button) {
  const { share: field, code } = button.dataset;
  ({ text } = button.dataset);
  const ply = field ? undefined : table().dataset.ply;
  query = ply === undefined ? "" : `?ply=${ply}`;
  $("link-share").value = field ? $(field).value : `${location.origin}${address()}${query && `#ply-${ply}`}`;
  dialog.querySelector("img").src = `${address()}/code/${code}.svg${query}`;
  $("share-send").hidden = !navigator.share;
  const unseen = code === "seat" || table().dataset.status === "waiting"; // a picture is what everybody may see
  $("share-picture").hidden = unseen;
  $("share-film").hidden = unseen || Boolean(query);
  dialog.showModal();
}

/** Make a file of the board; phones hand it on, others keep it. */
async function picture() {
  const drawn = new Image();
  drawn.src = `${address()}/picture.svg${query}`;
  await drawn.decode();
  const canvas = make("canvas", { width: drawn.naturalWidth, height: drawn.naturalHeight });
  const brush = canvas.getContext("2d");
  brush.fillStyle = PAPER;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return hand(blob, "");
}

/** Give a picture as a file: phones hand it on, others keep it. */
function hand(blob, what) {
  const file = new File([blob], `tianxia-${table().dataset.table}${what}.png`, { type: blob.type });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    return navigator.share({ files: [file] }).catch(() => {});
  }
  const link = make("a", { href: URL.createObjectURL(file), download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

$("share-picture").addEventListener("click", () => picture().catch(() => toast(strings.sorry)));
$("share-film").addEventListener("click", async ({ currentTarget: button }) => {
  if (button.getAttribute("aria-busy")) return; // it is being made
  button.setAttribute("aria-busy", "true");
  await import("./film.js").then((film) => film.made()).then((blob) => hand(blob, "-film")).catch(() => toast(strings.sorry));
  button.removeAttribute("aria-busy");
});
$("share-send").addEventListener("click", () => {
  const url = $("link-share").value;
  navigator.share({ title: document.title, text, url }).catch(() => {}); // who changes his mind need not be told
});
