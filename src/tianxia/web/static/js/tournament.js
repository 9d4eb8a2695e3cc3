// The page of a tournament: the lists, drawn again, and the way to one's own game as soon as it is there.

import "./lobby.js";

const lists = document.getElementById("lists");
const table = () => lists.querySelector("[data-go]")?.getAttribute("href");
const copy = /** @type {?HTMLButtonElement} */ (document.getElementById("link-copy"));
const before = table(); // whoever has come back from it may stay

new MutationObserver(() => {
  const found = table();
  if (found && found !== before) location.assign(found);
}).observe(lists, { childList: true, subtree: true, attributes: true, attributeFilter: ["href"] });

if (copy) {
  const link = /** @type {HTMLInputElement} */ (document.getElementById("link-cup"));
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    link.select();
    const done = await navigator.clipboard?.writeText(link.value).then(() => true, () => false);
    copy.nextElementSibling.textContent = done ? copy.dataset.copied : copy.dataset.byHand;
  });
}
