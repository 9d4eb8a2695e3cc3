// Handing a link on: as a code for a camera, by the sheet of a phone, or to be copied.

import { $, table } from "./table.js";

const dialog = $("share-dialog");
let text; // what is said beside the link, such as who has won

/** Show the link beside a button; where there is none, the one to the position that is shown. */
export function share(button) {
  const { share: field, code } = button.dataset;
  ({ text } = button.dataset);
  const ply = field ? undefined : table().dataset.ply;
  const at = ply === undefined ? "" : `#ply-${ply}`;
  $("link-share").value = field ? $(field).value : `${location.origin}/t/${table().dataset.table}${at}`;
  dialog.querySelector("img").src = `/t/${table().dataset.table}/code/${code}.svg${at && `?ply=${ply}`}`;
  $("share-send").hidden = !navigator.share;
  dialog.showModal();
}

$("share-send").addEventListener("click", () => {
  const url = $("link-share").value;
  navigator.share({ title: document.title, text, url }).catch(() => {}); // who changes his mind need not be told
});
