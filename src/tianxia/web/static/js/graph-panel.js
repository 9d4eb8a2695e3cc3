// Of the editor of boards that are graphs: the names and colours of provinces, and for how many players a board is.

import { node } from "./draw-nodes.js";

const PLAYERS = [2, 3, 4, 5];

/** @param {any} bench @param {(old: string, name: string) => void} rename */
export function panelOf(bench, rename, open = false) {
  const { tools, change, copy } = bench;
  const { words } = tools;
  const panel = node("details", { className: "panel", open });
  panel.append(node("summary", { textContent: words.provinces }));
  for (const [at, name] of Object.keys(bench.board.provinces).entries()) {
    const row = node("div", { className: "draw-row" });
    const field = node("input", { value: name, maxLength: tools.longest, id: `province-${at}`, autocomplete: "off" }, { "aria-label": `${words.province} ${at + 1}` });
    field.onchange = () => rename(name, field.value.trim());
    const colour = node("select", {}, { "aria-label": `${words.colour} ${at + 1}` });
    for (const { id, label } of tools.colours) colour.add(new Option(label, id, false, id === bench.board.provinces[name]));
    colour.onchange = () => {
      const next = copy();
      next.provinces[name] = colour.value;
      change(next);
    };
    row.append(field, colour);
    panel.append(row);
  }
  const people = node("fieldset");
  people.append(node("legend", { textContent: words.players }));
  for (const number of PLAYERS) {
    const label = node("label", { className: "draw-players" });
    const box = node("input", { type: "checkbox", checked: bench.board.players.includes(number) });
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
