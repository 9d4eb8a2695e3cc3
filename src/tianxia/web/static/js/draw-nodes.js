// Of the editor of boards: elements as its tools make them.

const NS = "http://www.w3.org/2000/svg";

/** @param {Element} made @param {Record<string, any>} attributes */
function marked(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** @param {string} name @param {Record<string, any>} properties @param {Record<string, any>} attributes @returns {any} */
export const node = (name, properties = {}, attributes = {}) => marked(Object.assign(document.createElement(name), properties), attributes);

/** A button of the tools. @param {string} label @param {() => void} act */
export const button = (label, act) => node("button", { type: "button", className: "button draw-tool", textContent: label, onclick: act });

/** An element of a picture. @param {string} name @param {Record<string, any>} attributes @param {...(Node | string)} children @returns {any} */
export function svg(name, attributes, ...children) {
  const made = marked(document.createElementNS(NS, name), attributes);
  made.append(...children);
  return made;
}
