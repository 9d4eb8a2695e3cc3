// The page about being told: lets this browser take messages, or no longer.

const box = document.getElementById("push");
const status = document.getElementById("push-status");
const { key, none, denied, on, off } = box.dataset;
const [start, stop] = [document.getElementById("push-on"), document.getElementById("push-off")];

const post = (where, body) =>
  fetch(`/told/${where}`, { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body) });

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));

function show(subscribed) {
  status.textContent = subscribed ? on : off;
  start.hidden = subscribed;
  stop.hidden = !subscribed;
}

async function begin() {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    status.textContent = none;
    return;
  }
  const registration = await navigator.serviceWorker.register("/sw.js");
  show((await registration.pushManager.getSubscription()) !== null);
  start.onclick = async () => {
    try {
      const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
      const { endpoint, keys } = made.toJSON();
      const answer = await post("subscribe", { endpoint, ...keys });
      if (!answer.ok) {
        await made.unsubscribe();
        status.textContent = (await answer.json()).error.text;
        return;
      }
      show(true);
    } catch {
      status.textContent = denied;
    }
  };
  stop.onclick = async () => {
    const known = await registration.pushManager.getSubscription();
    if (known) {
      await post("unsubscribe", { endpoint: known.endpoint });
      await known.unsubscribe();
    }
    show(false);
  };
}

for (const wish of document.querySelectorAll("[data-way]")) {
  wish.onchange = () => post("wish", { way: wish.dataset.way, pace: wish.dataset.pace, wanted: wish.checked });
}
begin();
