# SPDX-License-Identifier: Apache-2.0
"""What a person does with a page: points, clicks, drags, types. Nothing here calls a function of the page."""

from __future__ import annotations

from browser import Browser

SHIFT = 8
KEYS = {"Enter": 13, "Escape": 27}


class Person:
    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def see(self, selector: str) -> str:
        """The text that stands there."""
        return str(self.browser.run(f"document.querySelector({selector!r}).innerText"))

    def is_there(self, selector: str) -> bool:
        return bool(self.browser.run(f"!!document.querySelector({selector!r}) && document.querySelector({selector!r}).offsetHeight > 0"))

    def place(self, selector: str) -> tuple[float, float, float, float]:
        """Left, top, width and height of an element on the screen, after scrolling to it."""
        box = "(({x, y, width, height}) => [x, y, width, height])(e.getBoundingClientRect())"
        return tuple(self.browser.run(f"(e => (e.scrollIntoView({{block: 'center'}}), {box}))(document.querySelector({selector!r}))"))

    def settle(self) -> None:
        """Until the page has drawn."""
        self.browser.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def click(self, x: float, y: float, shift: bool = False) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self._mouse(kind, x, y, shift)
        self.settle()

    def press(self, selector: str) -> None:
        """A click on the middle of an element."""
        x, y, width, height = self.place(selector)
        self.click(x + width / 2, y + height / 2)

    def drag(self, start: tuple[float, float], end: tuple[float, float], shift: bool = False) -> None:
        self._mouse("mousePressed", *start, shift)
        for step in range(1, 6):
            x, y = (a + (b - a) * step / 5 for a, b in zip(start, end, strict=True))
            self._mouse("mouseMoved", x, y, shift)
        self._mouse("mouseReleased", *end, shift)
        self.settle()

    def type(self, text: str) -> None:
        self.browser.send("Input.insertText", text=text)
        self.settle()

    def key(self, key: str, shift: bool = False) -> None:
        code = KEYS.get(key, ord(key[0].upper()))
        for kind in ("keyDown", "keyUp"):
            self.browser.send("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, modifiers=SHIFT if shift else 0)
        self.settle()

    def _mouse(self, kind: str, x: float, y: float, shift: bool) -> None:
        pressed = kind != "mouseReleased"
        self.browser.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=int(pressed), clickCount=1,
                          modifiers=SHIFT if shift else 0)  # fmt: skip
