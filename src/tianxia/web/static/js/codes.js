// Recovery codes, shown once: copied, printed, or kept as a file.

/** @param {Element} row */
const written = ({ dataset, parentElement }) =>
  `${[dataset.title, location.origin, "", ...[...parentElement.querySelectorAll(".codes code")].map((code) => code.textContent)].join("\n")}\n`;

async function copy(row) {
  const told = row.querySelector("[role=status]");
  try {
    await navigator.clipboard.writeText(written(row));
    told.textContent = told.dataset.copied;
  } catch {
    getSelection().selectAllChildren(row.parentElement.querySelector(".codes"));
    told.textContent = told.dataset.byHand;
  }
}

function save(row) {
  const file = new Blob([written(row)], { type: "text/plain" });
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: "tianxia-codes.txt" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const ways = { copy, print: () => print(), save };

/** Show the buttons: they need a script. */
export function offer() {
  for (const row of document.querySelectorAll("[data-codes]")) row.hidden = false;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-keep-codes]");
  if (button) ways[button.dataset.keepCodes](button.closest("[data-codes]"));
});

offer();
