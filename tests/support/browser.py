#!/usr/bin/env python3
"""Drives headless Chromium (DevTools protocol) and Firefox (WebDriver BiDi) for tests of HTML pages.

browser.py list                                    names of the browsers of this machine
browser.py check FILE ...                          opens each page in each browser: ready, nothing requested, no error, no
                                                   violation of its policy, no overflow at 400, 1000 and 2000 pixels, prints
browser.py shot FILE PNG [--width W] [--height H] [--full] [--dark] [--run JAVASCRIPT]
browser.py pdf FILE PDF
browser.py eval FILE JAVASCRIPT                    prints the value as JSON
                                                   all with [--browser chromium|firefox] [--ratio PIXELS]

As a module: `with open_browser("firefox") as browser: browser.open(path); browser.click("button"); ...`
Exit status 77 where there is no browser, or no python3-websockets.
"""
import argparse
import asyncio
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

try:
    import websockets
except ImportError:
    websockets = None

PROGRAMS = {"chromium": ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"], "firefox": ["firefox", "firefox-esr"]}
PATIENCE = float(os.environ.get("PERIGEE_BROWSER_PATIENCE", "120"))  # seconds for one answer: machines may be slow and busy

# Runs before every page, outside of its policy: what a page must never do is written down.
WATCH = """
window.watched = { alerts: [], violations: [], errors: [] };
for (const name of ['alert', 'confirm', 'prompt']) window[name] = text => { window.watched.alerts.push(String(text)); };
document.addEventListener('securitypolicyviolation', event => window.watched.violations.push(event.violatedDirective + ': ' + event.blockedURI));
addEventListener('error', event => window.watched.errors.push(String(event.message)));
addEventListener('unhandledrejection', event => window.watched.errors.push(String(event.reason)));
"""


class BrowserError(Exception):
    pass


class Missing(Exception):
    pass


def program(name):
    return next((path for path in map(shutil.which, PROGRAMS[name]) if path), None)


def available():
    return [name for name in PROGRAMS if program(name)] if websockets else []


def open_browser(name, dark=False):
    if websockets is None:
        raise Missing("python3-websockets is not installed")
    if not program(name):
        raise Missing("no %s on the PATH" % name)
    return {"chromium": Chromium, "firefox": Firefox}[name](dark)


class Browser:
    """A running browser with one page. Times are seconds, places are CSS pixels of the viewport."""

    def __init__(self, dark):
        self.dark = dark
        self.folder = tempfile.mkdtemp(prefix="perigee-browser-")
        self.downloads = os.path.join(self.folder, "downloads")
        os.mkdir(self.downloads)
        self.loop = asyncio.new_event_loop()
        self.process = self.channel = None
        self.next_id = 0
        self.requests, self.messages = [], []
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def launch(self, arguments, pattern):
        """Starts the program in a process group of its own; returns what the pattern finds in what it says."""
        self.log = open(os.path.join(self.folder, "log"), "w+b")
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with open(self.log.name, "rb") as said:
                text = said.read().decode("utf-8", "replace")
            found = re.search(pattern, text)
            if found:
                return found.group(1)
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise BrowserError("%s does not start: %s" % (arguments[0], text[-2000:]))

    def connect(self, address):
        async def connecting():
            return await websockets.connect(address, max_size=None, ping_interval=None, open_timeout=PATIENCE)

        self.channel = self.loop.run_until_complete(connecting())

    def close(self):
        try:
            if self.channel:
                self.loop.run_until_complete(asyncio.wait_for(self.channel.close(), 2))
        except Exception:
            pass
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()
            self.process = None
            self.log.close()
        self.loop.close()
        for _ in range(20):  # what was killed may still be writing
            shutil.rmtree(self.folder, ignore_errors=True)
            if not os.path.exists(self.folder):
                break
            time.sleep(0.1)

    def exchange(self, message, patience=None):
        """Sends a message and reads until its answer; events on the way are noted."""
        self.next_id += 1
        message["id"] = self.next_id

        async def talk():
            await self.channel.send(json.dumps(message))
            while True:
                answer = json.loads(await self.channel.recv())
                if answer.get("id") == message["id"]:
                    return answer
                self.event(answer)

        try:
            return self.loop.run_until_complete(asyncio.wait_for(talk(), patience or PATIENCE))
        except asyncio.TimeoutError:
            raise BrowserError("no answer to %s" % message["method"]) from None

    # ---- The same in both browsers ----

    def open(self, path, wait=True):
        """Opens a file, or an address; waits until the page has set data-ready."""
        address = path if "://" in path else pathlib.Path(path).resolve().as_uri()
        self.requests, self.messages, self.address = [], [], address
        self.navigate(address)
        if wait:
            self.wait_for("document.documentElement.dataset.ready === '1'", "data-ready")

    def wait_for(self, condition, what=None):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.evaluate("!!(%s)" % condition):
                return
            time.sleep(0.03)
        raise BrowserError("waited in vain for %s" % (what or condition))

    def settle(self):
        """Two frames later, all is painted."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def place(self, selector):
        """The middle of an element, scrolled into view."""
        found = self.evaluate("""(() => { const one = document.querySelector(%s); if (!one) return null;
            one.scrollIntoView({ block: 'center', behavior: 'instant' }); const box = one.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2]; })()""" % json.dumps(selector))
        if found is None:
            raise BrowserError("no element %s" % selector)
        return found

    def click(self, target, shift=False, count=1):
        x, y = self.place(target) if isinstance(target, str) else target
        self.pointer([("move", x, y)] + [("down",), ("up",)] * count, shift)

    def drag(self, start, end, shift=False):
        middle = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]
        self.pointer([("move", *start), ("down",), ("move", *middle), ("move", *end), ("up",)], shift)

    def hover(self, x, y):
        self.pointer([("move", x - 1, y), ("move", x, y)])

    def text(self, selector):
        return self.evaluate("(document.querySelector(%s) || {}).textContent" % json.dumps(selector))

    def data(self, selector, name):
        return self.evaluate("document.querySelector(%s).dataset[%s]" % (json.dumps(selector), json.dumps(name)))

    def foreign_requests(self):
        self.evaluate("1")  # reads what has been said until now
        return [one for one in self.requests if one.split("#")[0] != self.address.split("#")[0] and not one.startswith(("blob:", "data:"))]

    def complaints(self):
        """Errors of scripts and of the console, violations of the page's policy, dialogs."""
        watched = self.evaluate("window.watched || {}") or {}
        return self.messages + [kind + ": " + text for kind in ("alerts", "violations", "errors") for text in watched.get(kind, [])]

    def overflow(self):
        """By how many pixels the page is wider than the window."""
        return self.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def downloaded(self, name):
        """The bytes of a file that the page has given."""
        path = os.path.join(self.downloads, name)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            partial = [one for one in os.listdir(self.downloads) if one.endswith((".crdownload", ".part"))]
            if os.path.exists(path) and not partial and os.path.getsize(path):
                with open(path, "rb") as file:
                    return file.read()
            time.sleep(0.05)
        raise BrowserError("%s was not downloaded; there is %s" % (name, os.listdir(self.downloads)))


class Chromium(Browser):
    name = "chromium"
    KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""),
            "Home": (36, ""), "End": (35, ""), "Tab": (9, ""), "PageUp": (33, ""), "PageDown": (34, ""), "Backspace": (8, "")}

    def start(self):
        address = self.launch([program("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                               "--no-default-browser-check", "--disable-extensions", "--disable-background-networking", "--disable-sync",
                               "--disable-component-update", "--mute-audio", "--hide-scrollbars=false", "--remote-debugging-port=0",
                               "--user-data-dir=" + os.path.join(self.folder, "profile"), "about:blank"], r"DevTools listening on (ws://\S+)")
        self.connect(address)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        if self.dark:
            self.scheme("dark")
        self.size(1000, 800)

    def call(self, method, **parameters):
        message = {"method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        answer = self.exchange(message)
        if "error" in answer:
            raise BrowserError("%s: %s" % (method, answer["error"].get("message")))
        return answer["result"]

    def event(self, message):
        method, said = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.messages.append(said["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            details = said["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "assert"):
            self.messages.append(" ".join(str(one.get("value", one.get("description"))) for one in said["args"]))

    def navigate(self, address):
        answer = self.call("Page.navigate", url=address)
        if answer.get("errorText"):
            raise BrowserError(address + ": " + answer["errorText"])
        self.wait_for("location.href === %s && document.readyState === 'complete'" % json.dumps(address), "the page")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError("%s: %s" % (expression, answer["exceptionDetails"].get("exception", {}).get("description")))
        return answer["result"].get("value")

    def before_pages(self, code):
        self.call("Page.addScriptToEvaluateOnNewDocument", source=code)

    def size(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def pointer(self, steps, shift=False):
        x = y = count = 0
        for step in steps:
            if step[0] == "move":
                x, y = step[1:]
                self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y, modifiers=8 if shift else 0,
                          button="left" if step is not steps[0] and count % 2 else "none", buttons=count % 2)
            else:
                count += 1
                self.call("Input.dispatchMouseEvent", type="mousePressed" if step[0] == "down" else "mouseReleased", x=x, y=y, button="left",
                          buttons=count % 2, clickCount=(count + 1) // 2, modifiers=8 if shift else 0)

    def touch(self, *stages):
        """Fingers: each stage is a list of places; what is not there any more is lifted. In Chromium only."""
        self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=3)
        before = 0
        for places in stages + ([],):
            kind = "touchStart" if len(places) > before else "touchMove" if places else "touchEnd"
            self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)])
            before = len(places)
        self.call("Emulation.setTouchEmulationEnabled", enabled=False)

    def wheel(self, x, y, delta, ctrl=False, shift=False):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=delta, modifiers=(2 if ctrl else 0) + (8 if shift else 0))

    def keys(self, *keys, shift=False):
        """Names such as "Enter", or texts that are typed."""
        for key in keys:
            if key in self.KEYS:
                code, text = self.KEYS[key]
                common = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
                self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
                self.call("Input.dispatchKeyEvent", type="keyUp", **common)
            else:
                for letter in key:
                    self.call("Input.dispatchKeyEvent", type="keyDown", key=letter, text=letter)
                    self.call("Input.dispatchKeyEvent", type="keyUp", key=letter)

    def screenshot(self, path, full=False):
        parameters = {"format": "png"}
        if full:
            box = self.call("Page.getLayoutMetrics")["cssContentSize"]
            parameters.update(captureBeyondViewport=True, clip={"x": 0, "y": 0, "width": box["width"], "height": min(box["height"], 12000), "scale": 1})
        write(path, self.call("Page.captureScreenshot", **parameters)["data"])

    def pdf(self, path):
        write(path, self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])


class Firefox(Browser):
    name = "firefox"
    KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
            "Home": "\ue011", "End": "\ue010", "Tab": "\ue004", "PageUp": "\ue00e", "PageDown": "\ue00f", "Backspace": "\ue003"}
    SETTINGS = {"browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "datareporting.policy.dataSubmissionEnabled": False,
                "toolkit.telemetry.enabled": False, "app.update.enabled": False, "browser.download.folderList": 2,
                "browser.download.useDownloadDir": True, "browser.download.always_ask_before_handling_new_types": False,
                "browser.download.alwaysOpenPanel": False, "network.captive-portal-service.enabled": False,
                "network.connectivity-service.enabled": False, "extensions.update.enabled": False, "browser.safebrowsing.malware.enabled": False,
                "browser.safebrowsing.phishing.enabled": False, "layout.css.devPixelsPerPx": "1.0"}

    def start(self):
        profile = os.path.join(self.folder, "profile")
        os.mkdir(profile)
        settings = dict(self.SETTINGS, **{"browser.download.dir": self.downloads, "layout.css.prefers-color-scheme.content-override": 0 if self.dark else 1})
        with open(os.path.join(profile, "user.js"), "w") as file:
            file.writelines("user_pref(%s, %s);\n" % (json.dumps(key), json.dumps(value)) for key, value in settings.items())
        address = self.launch([program("firefox"), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"],
                              r"WebDriver BiDi listening on (ws://\S+)")
        self.connect(address + "/session")
        self.call("session.new", capabilities={})
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self.call("script.addPreloadScript", functionDeclaration="() => {%s}" % WATCH)
        self.size(1000, 800)

    def call(self, method, **parameters):
        answer = self.exchange({"method": method, "params": parameters})
        if answer.get("type") == "error" or "error" in answer:
            raise BrowserError("%s: %s %s" % (method, answer.get("error"), answer.get("message")))
        return answer["result"]

    def event(self, message):
        method, said = message.get("method"), message.get("params", {})
        if method == "network.beforeRequestSent":
            self.requests.append(said["request"]["url"])
        elif method == "log.entryAdded" and said["level"] == "error":
            self.messages.append(said.get("text") or "an error")

    def navigate(self, address):
        self.call("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def evaluate(self, expression):
        wrapped = "(async () => JSON.stringify({ value: await (%s) }))()" % expression
        answer = self.call("script.evaluate", expression=wrapped, target={"context": self.context}, awaitPromise=True)
        if answer["type"] == "exception":
            raise BrowserError("%s: %s" % (expression, answer["exceptionDetails"].get("text")))
        return json.loads(answer["result"]["value"]).get("value")

    def before_pages(self, code):
        self.call("script.addPreloadScript", functionDeclaration="() => {%s}" % code)

    def size(self, width, height, ratio=1):
        self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height}, devicePixelRatio=ratio)

    def perform(self, *sources):
        self.call("input.performActions", context=self.context, actions=list(sources))

    def pointer(self, steps, shift=False):
        actions = []
        for step in steps:
            if step[0] == "move":
                actions.append({"type": "pointerMove", "x": round(step[1]), "y": round(step[2])})
            else:
                actions.append({"type": "pointerDown" if step[0] == "down" else "pointerUp", "button": 0})
        if shift:
            self.perform({"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": "\ue008"}]})
        self.perform({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": actions})
        if shift:
            self.perform({"type": "key", "id": "keys", "actions": [{"type": "keyUp", "value": "\ue008"}]})

    def wheel(self, x, y, delta, ctrl=False, shift=False):
        held = "\ue009" if ctrl else "\ue008" if shift else None
        if held:
            self.perform({"type": "key", "id": "keys", "actions": [{"type": "keyDown", "value": held}]})
        self.perform({"type": "wheel", "id": "wheel", "actions": [{"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": round(delta)}]})
        if held:
            self.perform({"type": "key", "id": "keys", "actions": [{"type": "keyUp", "value": held}]})

    def keys(self, *keys, shift=False):
        actions = [{"type": "keyDown", "value": "\ue008"}] if shift else []
        for key in keys:
            for letter in [self.KEYS[key]] if key in self.KEYS else key:
                actions += [{"type": "keyDown", "value": letter}, {"type": "keyUp", "value": letter}]
        if shift:
            actions.append({"type": "keyUp", "value": "\ue008"})
        self.perform({"type": "key", "id": "keys", "actions": actions})

    def screenshot(self, path, full=False):
        write(path, self.call("browsingContext.captureScreenshot", context=self.context, origin="document" if full else "viewport")["data"])

    def pdf(self, path):
        write(path, self.call("browsingContext.print", context=self.context, background=True, page={"width": 21.0, "height": 29.7})["data"])


def write(path, text):
    with open(path, "wb") as file:
        file.write(base64.b64decode(text))


def check(browser, path):
    """What must hold for every page: a list of what is wrong."""
    wrong = []
    try:
        browser.open(path)
        if browser.evaluate("document.documentElement.dataset.failed"):
            wrong.append("not drawn: " + str(browser.text(".failed")))
        for width in (400, 1000, 2000):
            browser.size(width, 800)
            browser.settle()
            if browser.overflow() > 0:
                wrong.append("%d pixels too wide at %d" % (browser.overflow(), width))
        browser.size(1000, 800)
        target = os.path.join(browser.folder, "page.pdf")
        browser.pdf(target)
        if os.path.getsize(target) < 3000:
            wrong.append("prints %d bytes" % os.path.getsize(target))
        wrong += ["requests " + one for one in browser.foreign_requests()]
        wrong += ["says " + one for one in browser.complaints()]
    except BrowserError as error:
        wrong.append(str(error))
    return ["%s: %s: %s" % (browser.name, os.path.basename(path), one) for one in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["list", "check", "shot", "pdf", "eval"])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--browser", choices=list(PROGRAMS))
    for name, value in (("width", 1000), ("height", 800), ("ratio", 1)):
        parser.add_argument("--" + name, type=int, default=value)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--run", help="JavaScript before the picture")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # browsers are closed on the way
    names = [name for name in available() if given.browser in (None, name)]
    if given.command == "list":
        print("\n".join(names))
        return 0
    if not names:
        print("skipped: %s" % ("no browser on the PATH" if websockets else "python3-websockets is not installed"))
        return 77
    if given.command == "check":
        wrong = []
        for name in names:
            with open_browser(name, given.dark) as browser:
                for path in given.files:
                    wrong += check(browser, path)
        print("\n".join(wrong), end="\n" if wrong else "")
        return 1 if wrong else 0
    with open_browser(names[0], given.dark) as browser:
        browser.size(given.width, given.height, given.ratio)
        browser.open(given.files[0])
        if given.run:
            browser.evaluate(given.run)
        browser.settle()
        if given.command == "shot":
            browser.screenshot(given.files[1], given.full)
        elif given.command == "pdf":
            browser.pdf(given.files[1])
        else:
            print(json.dumps(browser.evaluate(given.files[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
