"""The programs of the page about Ray and Dask, on a local cluster of each. Run from a folder where the sources are not."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PAGE = pathlib.Path(__file__).parent.parent / "CLUSTERS.md"

#: What a runner that never ends needs to be told, as a race on the page may be over too soon to show it.
ENDLESS = """
ENDLESS = ndscript.compile("if (param('ends', false)) return 1; while (true) {}")
"""

RAY = """
import time
slow = first.remote(ray.put(ENDLESS), 1, ends=False)
quick = first.remote(ray.put(ENDLESS), 1, ends=True)
assert ray.get(quick)[0].value == 1
time.sleep(1)
ray.cancel(slow)
try:
    ray.get(slow, timeout=30)
    raise SystemExit("it ended")
except ray.exceptions.TaskCancelledError:
    print("cancelled")

@ray.remote
def half(saved, program, engine):
    return next(engine.restore(program, saved)).value

engine = ndscript.Engine({"twice": lambda n: n * 2})
program = engine.compile("return twice(choose(5, 6));")
run = program.run(1)
both = {next(run).value, ray.get(half.remote(run.save(), program, engine))}
assert both == {10, 12}, both
try:
    ray.get(first.remote(program, 1, nothing=[object()]))
    raise SystemExit("it went on")
except (TypeError, ValueError):
    pass
try:
    ray.get(first.remote(ray.put(ndscript.compile("error('no map');")), 1))
    raise SystemExit("it went on")
except ndscript.ScriptError as error:
    assert error.diagnostic["message"] == "no map"
print("went well")
"""

DASK = """
if __name__ == "__main__":
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        runners = [client.submit(race, seed, ENDLESS, over="endless", ends=seed == 1, pure=False) for seed in range(2)]
        for future, (solution, steps) in as_completed(runners, with_results=True):
            if solution is not None:
                Event("endless").set()
                break
        assert sorted(solution is None for solution, _ in client.gather(runners)) == [False, True]
        engine = ndscript.Engine({"twice": lambda n: n * 2})
        program = engine.compile("return twice(choose(5, 6));")
        assert client.submit(first, 1, program).result()[0].value == next(program.run(1)).value
        try:
            client.submit(first, 1, ndscript.compile("error('no map');")).result()
            raise SystemExit("it went on")
        except ndscript.ScriptError as error:
            assert error.diagnostic["message"] == "no map"
    print("cancelled")
    print("went well")
"""


class Clusters(unittest.TestCase):
    def run_page(self, title, more):
        text = PAGE.read_text().split(f"## {title}\n")[1].split("```python\n")[1].split("```\n")[0]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "page.py"
            file.write_text(text + ENDLESS + more)
            done = subprocess.run([sys.executable, file], cwd=folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[-2:], ["cancelled", "went well"], done.stdout)
        self.assertTrue(any(line.startswith("16 columns, 40 cells of floor: ") for line in lines), done.stdout)
        return [line for line in lines if line.endswith(" steps")]

    def test_both_and_they_agree(self):
        self.assertEqual(self.run_page("Ray", RAY), self.run_page("Dask", DASK))


if __name__ == "__main__":
    unittest.main()
