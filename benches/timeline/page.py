#!/usr/bin/env python3
"""How a page of `ndscript tree` opens and scrolls in Chromium.

    python3 benches/timeline/page.py PAGE.html [--browser /usr/bin/chromium]

Prints the size of the file, the time from the beginning of the navigation until the page was loaded and until its first rows
were drawn, the time to unfold all of it, and how long frames take while it scrolls through all rows; and the processor time
of the page's thread for both, which is the same however busy the machine is. Headless Chromium is
spoken to by its developer protocol over a pipe; nothing else is needed.
"""

import argparse
import atexit
import json
import os
import subprocess
import tempfile
import time

# Scrolls through all rows in so many frames, and gives the times between frames, in milliseconds, and what drawing costs.
SCROLL = """new Promise(done => {
  const tree = document.getElementById("tree"), frames = 240, times = [], work = [];
  let at = 0, before = performance.now();
  const next = now => {
    if (at > 0) times.push(now - before);
    before = now;
    if (at === frames) { done(JSON.stringify({ times, work, rows: document.getElementById("rows").childElementCount })); return; }
    const begun = performance.now();
    tree.scrollTop = (tree.scrollHeight - tree.clientHeight) * ++at / frames;
    document.body.offsetHeight;
    work.push(performance.now() - begun);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""
UNFOLD = """(() => { const begun = performance.now(); document.getElementById("unfold").click(); document.body.offsetHeight;
  return performance.now() - begun; })()"""
DEEPEST = UNFOLD.replace("unfold", "deepest")
OPENED = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
  const entry = performance.getEntriesByType("navigation")[0];
  done(JSON.stringify({ loaded: entry.loadEventEnd || performance.now(), drawn: performance.now(),
    rows: document.getElementById("rows").childElementCount }));
})))"""


class Browser:
    def __init__(self, path, folder):
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def descriptors():
            os.dup2(to_read, 3)
            os.dup2(to_write, 4)

        options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--window-size=1280,800", f"--user-data-dir={folder}"]
        self.process = subprocess.Popen(
            [path, *options, "about:blank"], preexec_fn=descriptors, pass_fds=(3, 4),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(to_write)
        self.number, self.rest, self.session = 0, b"", None

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                read = os.read(self.read_end, 1 << 16)
                if not read:
                    raise SystemExit("the browser has ended")
                self.rest += read
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def busy(self):
        """What the main thread of the page has used of the processor, in milliseconds; others do not count."""
        metrics = {each["name"]: each["value"] for each in self.ask("Performance.getMetrics")["metrics"]}
        return 1000 * metrics["TaskDuration"]

    def value(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise SystemExit(result["exceptionDetails"])
        return result["result"].get("value")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--browser", default="/usr/bin/chromium")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(options.browser, folder)
        atexit.register(browser.process.kill)
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.ask("Page.enable")
        browser.ask("Performance.enable", timeDomain="threadTicks")
        address = "file://" + os.path.abspath(options.page)
        browser.ask("Page.navigate", url=address)
        while browser.value("document.readyState + location.protocol") != "completefile:":
            time.sleep(0.05)
        opened = json.loads(browser.value(OPENED))
        opening = browser.busy()
        print(f"{os.path.getsize(options.page) / 1e6:.1f} MB")
        print(
            f"loaded after {opened['loaded']:.0f} ms, drawn after {opened['drawn']:.0f} ms ({opened['rows']} rows in view);"
            f" processor time {opening:.0f} ms"
        )
        print(f"to the deepest failure: {browser.value(DEEPEST):.0f} ms; unfolding all: {browser.value(UNFOLD):.0f} ms")
        before = browser.busy()
        scrolled = json.loads(browser.value(SCROLL))
        scrolling = (browser.busy() - before) / len(scrolled["times"])
        times, work = sorted(scrolled["times"]), sorted(scrolled["work"])
        count = len(times)
        print(
            f"scrolling through all in {count} frames: {times[count // 2]:.1f} ms a frame (95 of 100 below"
            f" {times[count * 95 // 100]:.1f} ms, the longest {times[-1]:.1f} ms), of which the page takes"
            f" {work[len(work) // 2]:.1f} ms (95 of 100 below {work[len(work) * 95 // 100]:.1f} ms);"
            f" processor time {scrolling:.1f} ms a frame"
        )
        browser.session = None
        browser.ask("Browser.close")
        browser.process.wait(timeout=20)


if __name__ == "__main__":
    main()
