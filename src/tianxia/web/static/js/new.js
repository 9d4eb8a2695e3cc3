// The form of a new table: where one takes what another seat has, that one gets what it had.

const selects = [...document.querySelectorAll(".who select")];
const KIND = /^(seat|colour)/;
const had = new Map();

/** Note what each seat has, and draw the mark of its colour. */
function note() {
  for (const select of selects) {
    had.set(select, select.value);
    const army = select.selectedOptions[0]?.dataset.army;
    const mark = select.name.startsWith("colour") ? select.parentElement.querySelector("use") : null;
    mark?.setAttribute("href", `#army-${army ?? ""}`);
  }
}

/** Only one seat is "me", and each colour is of one seat. */
const isUnique = ({ name, value }) => (name.startsWith("colour") ? value !== "" : value === "me");

document.addEventListener("change", ({ target }) => {
  const changed = selects.find((one) => one === target);
  if (!changed) return;
  const [kind] = changed.name.match(KIND);
  const other = selects.find((one) => one !== changed && one.name.startsWith(kind) && one.value === changed.value);
  if (other && isUnique(changed)) other.value = had.get(changed);
  note();
});

addEventListener("pageshow", note);
