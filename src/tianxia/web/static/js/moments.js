// Moments by the reader's own clock: pages tell them in UTC, and lists that are drawn again do so again.

const told = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

function tell() {
  for (const one of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[data-moment]"))) {
    delete one.dataset.moment;
    one.textContent = told.format(new Date(one.dateTime));
  }
}

new MutationObserver(tell).observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-moment"] });
tell();
