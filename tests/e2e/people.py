"""Somebody at a browser: what people do on the pages, in words."""

from __future__ import annotations

import base64
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import TimeoutError as PlaywrightTimeout

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
OTHER = re.compile(r"/static/|/sit$|/tables$")
"""Static files; and answers that the browser follows to another page at once."""
BEAT = '{"beat":1}'
"""The server's sign of life, which comes by the clock, whatever happens."""
MUST_BE = 90.0
"""Seconds that anything may take."""
PATIENCE = 90_000
"""Milliseconds that a page may take: a new machine compiles, and others may be busy on it."""
HURRY = """setInterval(() => {
    const bar = document.getElementById("step-bar");
    if (bar && !bar.hidden) document.getElementById("step-end").click();
}, 30);"""
"""Somebody who wants to see what has come of it, and not step by step how."""
STILL = """addEventListener("scroll", ({ target }) => {
    const still = document.querySelector(".at-table") && target === document;
    if (still) console.error("The page moved.");
}, true);"""
"""A table is one screen: nothing of what is done there with a finger moves the page."""


AT_ONCE = """{
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("*, *::before, *::after { transition-property: none !important; }");
    document.adoptedStyleSheets.push(sheet);
}"""
"""New colours come at once: else each element begins when the one around it has ended."""
DECISION = "JSON.parse(document.getElementById('gestures').textContent).decision"
"""The number of the decision that a page shows: all else there is much to hand over."""
SETTLED = "document.querySelector('#table-page:not([data-telling])')"
"""What has happened is told; before that a click on the board only hurries on."""


class Person:
    """One browser context: cookies, language, screen and hands of their own."""

    def __init__(
        self,
        browser: Any,
        url: str,
        language: str = "en",
        *,
        touch: bool = False,
        theme: str = "light",
        still: bool = True,
        record: bool = False,
        hurried: bool = True,
    ) -> None:
        self.url = url
        self.language = language
        self.touch = touch
        self.theme = theme
        self.context = browser.new_context(
            locale={"en": "en-GB", "fr": "fr-FR"}[language],
            viewport=PHONE if touch else DESK,
            has_touch=touch,
            is_mobile=touch,
            color_scheme=theme,
            reduced_motion="reduce" if still else "no-preference",
            accept_downloads=True,
        )
        self.errors: list[str] = []
        self.frames: list[str] = []
        self.kept: list[str] = []
        self._answers: list[Any] = []
        if hurried:
            self.context.add_init_script(HURRY)
        if touch:
            self.context.add_init_script(STILL)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._console)
        if record:
            self.page.on("response", lambda answer: self._answers.append(answer))
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._frame))

    def _console(self, line: Any) -> None:
        # Refused requests and lost connections are listed by the browser; we cause them.
        caused = ("Failed to load resource", "WebSocket connection")
        if line.type == "error" and not line.text.startswith(caused):
            self.errors.append(line.text)

    def _frame(self, frame: Any) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        if text != BEAT:
            self.frames.append(text)

    def bodies(self) -> list[str]:
        """Return what has been received by HTTP since the last call, static files aside.

        The browser forgets what it received before it went to another page: call it before.
        """
        answers, self._answers = self._answers, []
        wanted = [answer for answer in answers if not OTHER.search(answer.url)]
        return [text for answer in wanted if answer.ok and (text := self._text(answer))]

    @staticmethod
    def _text(answer: Any) -> str:
        """Return an answer's text; none of one that was overtaken by another page."""
        try:
            return str(answer.text())
        except PlaywrightError:
            return ""

    def leave(self) -> None:
        """Close the browser; nothing may have gone wrong in it."""
        self.context.close()
        assert self.errors == []

    # --- Pages ---

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def at_table(self) -> None:
        """Wait until the table takes clicks."""
        self.page.wait_for_selector("#table-page[data-ready]")

    def open_table(self, *, variant: str, red: str = "me", blue: str = "open") -> str:
        """Go from the home page to a new table of Stratego; return its path."""
        self.go("/")
        self.kept += self.bodies()
        self.page.click("a[href='/new/stratego']")
        self.page.fill("#nickname", "Ada")
        self.page.select_option("#seat0", red)
        self.page.select_option("#seat1", blue)
        self.choose("variant", variant)
        self.kept += self.bodies()
        self.page.click("form button.primary")
        self.at_table()
        return self.path

    def open_game(self, game: str, *seats: str, **options: str) -> str:
        """Go to a new table of a game: who sits where, and its options; return its path."""
        self.go(f"/new/{game}")
        self.page.wait_for_selector("#nickname", timeout=60_000)  # it may still be prepared
        self.page.fill("#nickname", "Ada")
        for name, value in options.items():  # first, for they decide how many seats are shown
            self.choose(name, value)
        for number, who in enumerate(seats):
            self.page.select_option(f"#seat{number}", who)
        self.kept += self.bodies()
        self.page.click("form button.primary")
        self.at_table()
        return self.path

    def host(self, game: str, *seats: str, **options: str) -> str:
        """Come to a new table without its form, which takes two pages more; return its path."""
        wish = {"game": game, "nickname": "Ada"}
        wish |= {f"seat{number}": who for number, who in enumerate(seats)}
        wish |= {f"option-{name}": value for name, value in options.items()}
        self._come(f"/t/{self._post('/tables', wish)['table']}")
        return self.path

    def join(self, table: str, name: str, seat: int = 1) -> None:
        """Come to a free seat without the page that offers it."""
        self._post(f"{table}/sit", {"seat": seat, "name": name})
        self._come(table)

    def _post(self, path: str, wish: dict[str, Any]) -> Any:
        """Send what a page would send, and return the answer."""
        headers = {"origin": self.url, "accept": "application/json"}
        answer = self.context.request.post(self.url + path, data=wish, headers=headers)
        assert answer.ok, answer.text()
        return answer.json()

    def _come(self, table: str) -> None:
        self.go(table)
        self.at_table()

    def choose(self, option: str, value: str) -> None:
        """Choose an option on the page of a new table: a card, in a list, or a number."""
        field = self.page.locator(f"[name=option-{option}]")
        kind = field.first.evaluate("node => node.type")
        if kind == "radio":
            self.page.check(f"[name=option-{option}][value='{value}']")
            return
        self.page.locator(".more-rules").evaluate("node => node.open = true")
        if kind == "select-one":
            field.select_option(value)
        else:
            field.fill(value)

    def wear(self, theme: str) -> None:
        """Change the colours, and wait until the page wears them."""
        self.page.evaluate(AT_ONCE)
        self.page.emulate_media(color_scheme=theme)
        self.theme = theme
        light_ink = "true" if theme == "dark" else "false"
        places = ("html", "main h1, main h2", "footer p, #menu-open")
        inks = (f"getComputedStyle(document.querySelector('{place}')).color" for place in places)
        self.until(
            " && ".join(f"(Number({ink}.match(/[0-9]+/)[0]) > 128) === {light_ink}" for ink in inks)
        )
        self.page.evaluate("document.adoptedStyleSheets.pop() && undefined")
        self.rest()

    def rest(self) -> None:
        """Wait until nothing changes its colour or place little by little any more."""
        self.until("!document.getAnimations().some(one => one instanceof CSSTransition)")

    def picture(self) -> bytes:
        """Return what is seen, as WebP."""
        how = {"format": "webp", "quality": 85}
        answer = self.context.new_cdp_session(self.page).send("Page.captureScreenshot", how)
        return base64.b64decode(answer["data"])

    @property
    def path(self) -> str:
        path: str = self.page.url.removeprefix(self.url)
        return path

    def take_seat(self, table: str, name: str) -> None:
        """Open the link that a friend has sent, and take the free seat."""
        self.go(table)
        self.at_table()
        self.page.fill("#sit-name", name)
        self.kept += self.bodies()
        with self.page.expect_navigation():  # whoever sits down gets another page
            self.press("#sit-form button")
        self.at_table()

    def sit_down(self, table: str, name: str) -> None:
        """Take the free seat of a game that begins with a set-up."""
        self.take_seat(table, name)
        self.page.wait_for_selector("#tray button")

    def resign(self) -> None:
        """Give up; press once more where the button has moved away from under the click."""
        for _ in range(3):
            self.press("[data-post=resign]")
            with suppress(PlaywrightTimeout):
                self.page.wait_for_selector("#resign-dialog[open]", timeout=3000)
                break
        self.press("#resign-dialog [value=yes]")

    def press(self, selector: str) -> None:
        """Click or tap."""
        if self.touch:
            self.page.tap(selector)
        else:
            self.page.click(selector)

    # --- The table ---

    def tab(self, name: str) -> None:
        """Show a tab beside the board, or over it; press once more where it has moved away."""
        for _ in range(3):
            if self.page.get_attribute(f"#tab-{name}", "aria-expanded") == "true":
                return
            self.press(f"#tab-{name}")
            with suppress(PlaywrightTimeout):
                self.page.wait_for_selector(f"#tab-{name}[aria-expanded=true]", timeout=3000)

    def shut(self) -> None:
        """Put away what lies over the board."""
        if self.touch:
            self.page.evaluate("document.querySelector('.tab[aria-expanded=true]')?.click()")

    def menu(self, selector: str) -> None:
        """Press something in the menu."""
        self.press("#menu-open")
        self.press(selector)

    def facts(self) -> dict[str, Any]:
        """Return what the page says about the table."""
        found: dict[str, Any] = self.page.evaluate(
            "() => ({...document.getElementById('table').dataset,"
            " gestures: JSON.parse(document.getElementById('gestures').textContent)})"
        )
        return found

    def until(self, script: str) -> None:
        """Wait until an expression holds (the policy of the pages forbids Playwright's way)."""
        end = time.monotonic() + MUST_BE
        while not self.page.evaluate(script):
            if time.monotonic() > end:
                raise AssertionError(f"this has not become true: {script}")
            self.page.wait_for_timeout(25)

    def received(self, told: Callable[[str], bool]) -> None:
        """Wait until the newest push fulfils a condition."""
        end = time.monotonic() + MUST_BE
        while not (self.frames and told(self.frames[-1])):
            if time.monotonic() > end:
                raise AssertionError("no push has told it")
            self.page.wait_for_timeout(25)

    def lines(self) -> int:
        """Return how many lines the log has."""
        return self.page.locator("#log li").count()

    def turn(self) -> bool:
        """Wait until it is this person's turn (True), or the game is over (False)."""
        self.page.wait_for_selector("#table[data-your-turn], #table[data-status=over]")
        mine: bool = self.page.evaluate("'yourTurn' in document.getElementById('table').dataset")
        return mine

    def take_ready(self, preset: int = 1) -> None:
        """Take a ready-made set-up, where it has one by its picture."""
        pictures = self.page.locator("#tray .kind:has(> .kind-left:empty)")
        if pictures.count():
            pictures.nth(preset - 1).click()
        else:
            self.page.select_option("#tray-presets", index=preset)

    def set_up(self, preset: int = 1) -> None:
        """Take a ready-made set-up and send it."""
        before = self.decision()
        self.take_ready(preset)
        self.press("#tray-ready")
        self.changed(before)

    def decision(self) -> int:
        number: int = self.page.evaluate(DECISION)
        return number

    def changed(self, before: int) -> None:
        """Wait until the page shows what follows one's own decision."""
        self.until(
            f"{DECISION} !== {before} || document.getElementById('table').dataset.status === 'over'"
        )

    def play(self, gesture: dict[str, Any]) -> None:
        """Make a move, with the mouse or a finger."""
        before = self.decision()
        self.until(SETTLED)
        for step in gesture["s"]:
            self.press(f'[data-e="{step[0]}"]')
        self.confirm()
        self.changed(before)

    def confirm(self) -> None:
        """Say yes where the page asks whether a small place was meant that a finger has hit."""
        if self.touch and self.page.locator("#choice .primary").count() == 1:
            self.press("#choice .primary")

    def make(self, gesture: dict[str, Any]) -> None:
        """Make a gesture of any kind; one that is told before it is done, with its button."""
        before = self.decision()
        self.until(SETTLED)
        for step in gesture["s"]:
            clicks = step[:1] if isinstance(step, list) else step.get("set")
            for element in clicks or [step["one"]] * step["count"]:
                self.press(f'[data-e="{element}"]')
        if gesture.get("p"):
            self.press(f'#choice button:text-is("{gesture["l"]}")')
        else:
            self.confirm()
        self.changed(before)

    def play_unseen(self, table: str, rng: random.Random) -> str:
        """Decide at random without a page, where one may; return how the table stands then."""
        address = f"{self.url}/api/v1/tables/{table.removeprefix('/t/')}"
        ask, own = self.context.request, {"origin": self.url}
        facts: dict[str, Any] = ask.get(address).json()
        if facts["your_turn"]:
            body = {
                "actions": [rng.choice(facts["legal"])["action"]],
                "decision": facts["decision"],
            }
            answer = ask.post(f"{address}/act", data=body, headers=own)
            assert answer.ok, answer.text()
        status: str = facts["status"]
        return status

    def play_by_keys(self, gesture: dict[str, Any]) -> None:
        """Make a move by keyboard alone: the arrow keys lead to the places."""
        before = self.decision()
        keys = self.page.keyboard
        keys.press("b")
        for step in gesture["s"]:
            self.walk_to(step[0])
            keys.press("Enter")
        self.changed(before)

    def walk_to(self, square: str) -> None:
        """Go to a square with the arrow keys; round lakes if need be."""
        keys = self.page.keyboard
        for _ in range(60):
            here, there, flipped = self.page.evaluate(
                """square => {
                    const box = (node) => node.getBoundingClientRect();
                    const here = box(document.activeElement);
                    const there = box(document.querySelector(`[data-e="${square}"]`));
                    return [document.activeElement.dataset.e, square,
                        [there.x - here.x, there.y - here.y]];
                }""",
                square,
            )
            if here == there:
                return
            right, down = flipped
            across = "ArrowRight" if right > 0 else "ArrowLeft"
            along = "ArrowDown" if down > 0 else "ArrowUp"
            keys.press(
                across if abs(right) > 5 and (abs(down) < 5 or here[1:] not in "56") else along
            )
        raise AssertionError(f"the arrow keys do not lead to {square}")

    def random_gesture(self, rng: random.Random) -> dict[str, Any]:
        """Return a legal gesture; attacks are preferred, so that games end."""
        gestures = self.facts()["gestures"]["gestures"]
        attacks = [gesture for gesture in gestures if gesture["f"]]
        chosen: dict[str, Any] = rng.choice(attacks if attacks and rng.random() < 0.7 else gestures)
        return chosen

    def ranks(self) -> list[str]:
        """Return what stands on the board, such as ``r7`` or ``bF``; ``b0`` is unknown."""
        found: list[str] = self.page.eval_on_selector_all(
            "#board .piece > use:first-child",
            "nodes => nodes.map(n => n.getAttribute('href').split('-')[1])",
        )
        return found

    def position(self) -> str:
        """Return the board as the page tells it in text."""
        text: str = self.page.text_content("#board-text pre")
        return text

    def newest(self) -> str:
        """Return the newest line of the log."""
        text: str = self.page.inner_text("#log li:first-child")
        return text

    def download(self) -> str:
        """Download the transcript, once the end has been told: until then the bar changes."""
        self.until("!('telling' in document.querySelector('#table-page').dataset)")
        with self.page.expect_download() as waiting:
            self.press("#actions a[download]")
        text: str = waiting.value.path().read_text(encoding="utf-8")
        return text
