// Passkeys: what the server asks, the browser's own dialog answers. Shown only where there can be any.

import { offer } from "./codes.js";
import { begin, isAway, request, tell } from "./waiting.js";

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const post = (path, body = {}) => request(`/api/v1${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), longest: 60000 });
const listed = (credentials = []) => credentials.map((one) => ({ ...one, id: bytes(one.id) }));

/** What the browser has made or signed, as JSON. */
function written(credential) {
  const { response } = credential;
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: Object.fromEntries(parts.filter((part) => response[part]).map((part) => [part, text(response[part])])),
  };
}

const made = (options) =>
  navigator.credentials.create({
    publicKey: {
      ...options,
      challenge: bytes(options.challenge),
      user: { ...options.user, id: bytes(options.user.id) },
      excludeCredentials: listed(options.excludeCredentials),
    },
  });

const signed = (options) =>
  navigator.credentials.get({
    publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: listed(options.allowCredentials) },
  });

function showCodes(codes) {
  const main = document.getElementById("main");
  main.replaceChildren(document.getElementById("codes-shown").content.cloneNode(true));
  const list = main.querySelector(".codes");
  for (const code of codes) list.appendChild(document.createElement("li")).appendChild(document.createElement("code")).textContent = code;
  offer();
  main.querySelector("h2").focus();
}

/** Say what is wrong beside the name, if it is that; else over the page. */
function refuse({ code = "", text = "" } = {}, again = null) {
  const place = document.getElementById("name-problem");
  const isName = Boolean(place) && code.startsWith("name");
  if (place) {
    place.textContent = isName ? text : "";
    place.hidden = !isName;
  }
  if (!isName) return tell(text, again);
  document.getElementById("name").focus();
}

const field = (id) => document.getElementById(id)?.value ?? "";
const ways = {
  enter: ["/sign-in/passkey", () => ({}), signed, "/sign-in/passkey/answer", (_, button) => location.assign(button.dataset.next || "/")],
  register: ["/register/passkey", () => ({ name: field("name") }), made, "/register/passkey/answer", ({ codes }) => showCodes(codes)],
  add: ["/account/passkeys", () => ({}), made, "/account/passkeys/answer", () => location.assign("/account?done=passkey-new")],
};

async function use(button) {
  const [ask, wish, dialog, answer, done] = ways[button.dataset.passkey];
  const mine = begin(button);
  try {
    const options = await post(ask, wish());
    if (!options.ok) return refuse(options.body.error, isAway(options) ? () => use(button) : null);
    const credential = await dialog(options.body);
    const end = await post(answer, { credential: written(credential), name: field("passkey-name") });
    if (!end.ok) return refuse(end.body.error);
    done(end.body, button);
  } catch (error) {
    // Closed by whoever was asked, or timed out: nothing to say. Anything else has words of its own.
    if (!["NotAllowedError", "AbortError"].includes(error.name)) tell(error.message);
  } finally {
    mine.end();
  }
}

if (window.PublicKeyCredential) {
  for (const part of document.querySelectorAll("[data-passkeys]")) part.hidden = false;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-passkey]");
    if (button) use(button);
  });
}
