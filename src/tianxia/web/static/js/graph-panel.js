// Of the editor of boards that are graphs: the names and colours of provinces, and for how many players a board is.

const PLAYERS = [2, 3, 4, 5];

/** @param {any} bench @param {(old: string, name: string) => void} rename */
export function panelOf(bench, rename, open = false) {
  const { tools, change, copy } = bench;
  const { words } = tools;
  const panel = document.createElement("details");
  panel.className = "panel";
  panel.open = open;
  panel.append(Object.assign(document.createElement("summary"), { textContent: words.provinces }));
  for (const [at, name] of Object.keys(bench.board.provinces).entries()) {
    const row = Object.assign(document.createElement("div"), { className: "draw-row" });
    const field = Object.assign(document.createElement("input"), { value: name, maxLength: tools.longest, id: `province-${at}` });
    field.setAttribute("aria-label", `${words.province} ${at + 1}`);
    field.onchange = () => rename(name, field.value.trim());
    const colour = document.createElement("select");
    colour.setAttribute("aria-label", `${words.colour} ${at + 1}`);
    for (const { id, label } of tools.colours) colour.add(new Option(label, id, false, id === bench.board.provinces[name]));
    colour.onchange = () => {
      const next = copy();
      next.provinces[name] = colour.value;
      change(next);
    };
    row.append(field, colour);
    panel.append(row);
  }
  const people = document.createElement("fieldset");
  people.append(Object.assign(document.createElement("legend"), { textContent: words.players }));
  for (const number of PLAYERS) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: bench.board.players.includes(number) });
    box.onchange = () => {
      const next = copy();
      next.players = PLAYERS.filter((one) => (one === number ? box.checked : next.players.includes(one)));
      change(next);
    };
    label.append(box, ` ${number} `);
    people.append(label);
  }
  panel.append(people);
  return panel;
}
