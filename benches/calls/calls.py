"""What a call costs through Python."""

import sys
import time

import ndscript

text, times = open(sys.argv[1]).read(), int(sys.argv[2])
engine = ndscript.Engine(functions={"twice": lambda n: n * 2})
run = engine.compile(text).run(1)
next(run)


def script():
    for _ in range(times):
        assert run.call("half", 14) == 7


def host():
    assert run.call("askHost", times) == times * (times - 1)


for work in (script, host):
    started = time.process_time()
    work()
    print(work.__name__, round((time.process_time() - started) * 1e9 / times))
