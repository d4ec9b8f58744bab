"""What the package promises, each part used once. Run from a folder where the sources are not."""

import os
import pickle
import signal
import threading
import unittest

import ndscript
from ndscript import Choices, Engine, FrozenObject, Grid, Position, PriorityQueue, Queue, Relation


def twice(n):
    return n * 2


class Values(unittest.TestCase):
    def test_there_and_back(self):
        run = ndscript.compile("var it; return it;").run()
        value = {
            "z": None, "b": True, "i": 2**53 - 1, "f": 1.25, "t": "ü\0\"", "p": Position(3, 4), "a": [1, [2], []],
            "s": frozenset({"b", "a", (1, 2), Position(1, 1), frozenset({7}), FrozenObject([("k", 1)])}),
            "q": Queue([1, 2]), "w": PriorityQueue([("b", 1), ((1,), 1), ("a", 2.5)]), "r": Relation({(1, "x"), (2, "y")}), "g": Grid(2, 1, ["x", {"y": 1}]), "o": {},
        }
        run["it"] = value
        found = next(run).value
        self.assertEqual(found, value)
        self.assertEqual(list(found), list(value))
        for key in value:
            self.assertIs(type(found[key]), type(value[key]), key)
        self.assertEqual(found["g"][0, 0], "x")
        self.assertEqual(found["g"].rows(), [["x", {"y": 1}]])

    def test_queues_keep_their_priorities(self):
        program = ndscript.compile("let q = param('q', priorityQueue()); enqueue('b', q, 2); return [dequeue(q), q];")
        found = next(program.run(q=PriorityQueue([("late", 5), ("soon", 0.5)]))).value
        self.assertEqual(found, ["soon", PriorityQueue([("b", 2), ("late", 5)])])
        it = ndscript.compile("var it;").run()
        for wrong in (["a"], [("a", "b")], [("a", 1, 2)], [("a", float("nan"))]):
            with self.assertRaises(ValueError):
                it["it"] = PriorityQueue(wrong)

    def test_what_is_no_value(self):
        run = ndscript.compile("var it;").run()
        inside = []
        inside.append(inside)
        for wrong in (2**60, 2**70, float("nan"), object(), {1: 2}, inside):
            with self.assertRaises((ValueError, TypeError)):
                run["it"] = wrong
        with self.assertRaises(ValueError):
            run["ti"] = 1
        with self.assertRaises(KeyError):
            run["ti"]

    def test_functions_are_there_by_name(self):
        self.assertEqual(next(ndscript.compile("function f() {} return [f];").run()).value, ["f"])


class Searches(unittest.TestCase):
    def test_solutions(self):
        program = ndscript.compile("var x = param('n', 1) * choose(1, 2, 3); require(x != 20, 'not 20'); print(x);")
        self.assertEqual(program.parameters, ["n"])
        self.assertRaisesRegex(TypeError, '"nn"', program.run, seed=1, nn=10)
        run = program.run(seed=1, n=10)
        solutions = list(run)
        self.assertEqual(sorted(solution.text for solution in solutions), ["10", "30"])
        self.assertEqual(sorted(solution.globals["x"] for solution in solutions), [10, 30])
        self.assertEqual(run.failure_message, "not 20")
        self.assertEqual([s.text for s in program.run(5, n=10)], [s.text for s in program.run(5, n=10)])

    def test_fuel_forks_and_saves(self):
        engine = Engine(files={"a.nds": "var a = 7;"})
        program = engine.compile("import 'a.nds'; var x; choose first x = 1; or x = a; return x;")
        run = program.run()
        self.assertEqual(run.resume().value, 1)
        guess = ndscript.compile("let x = choose(1, 2), y = [x];").run()
        self.assertEqual(guess.resume(globals=False).globals, {})
        self.assertEqual(guess["y"], [guess["x"]])
        self.assertEqual(guess.resume().globals, {"x": guess["x"], "y": guess["y"]})
        self.assertEqual(ndscript.compile("while (true) {}").run().resume(500_000), "out_of_fuel")
        self.assertGreater(run.steps, 0)
        fork, saved = run.fork(), run.save()
        for again in (run, fork, engine.restore(program, saved)):
            self.assertEqual(again.resume().value, 7)
            self.assertEqual(again.resume(), "failed")
        with self.assertRaises(ValueError):
            engine.restore(program, saved[:-1])

    def test_calls_and_questions(self):
        run = ndscript.compile("var h = 10; function hit(n) { require(n < 9); h -= n; return h; } print(input('Who?'), ask('?', ['a', 'b']));").run()
        question = run.resume()
        self.assertEqual((question.prompt, question.options), ("Who?", None))
        with self.assertRaises(ValueError):
            run.answer(0)
        run.answer("Ada")
        self.assertEqual(run.resume().options, ["a", "b"])
        run.answer(1)
        self.assertEqual(next(run).text, "Adab")
        self.assertEqual((run.call("hit", 3), run["h"], run.call("hit", 9)), (7, 7, None))
        with self.assertRaises(ndscript.ScriptError):
            run.call("hit", "x")
        with self.assertRaises(ndscript.QuestionError):
            next(ndscript.compile("input('Who?');").run())


class Mistakes(unittest.TestCase):
    def test_all_are_told_with_their_places(self):
        with self.assertRaises(ndscript.CompileError) as caught:
            ndscript.compile("var x = ;\nvar y = );", "bad.nds")
        self.assertEqual({(d["file"], d["line"]) for d in caught.exception.diagnostics}, {("bad.nds", 1), ("bad.nds", 2)})
        self.assertEqual(ndscript.check("print(prnit);")[0]["hints"], ["did you mean `print`?"])
        with self.assertRaises(ndscript.ScriptError) as caught:
            next(ndscript.compile("var o = {};\nprint(o.a);").run())
        self.assertEqual(caught.exception.diagnostic["line"], 2)
        self.assertIn("program:2", str(caught.exception))

    def test_limits(self):
        with self.assertRaises(ndscript.LimitError) as caught:
            next(Engine(steps=1000).compile("while (true) {}").run())
        self.assertEqual((caught.exception.limit, str(caught.exception)), ("Steps", "the run reached its limit of 1000 steps"))
        with self.assertRaises(ValueError):
            Engine(stpes=1)

    def test_other_threads_go_on_and_can_cancel(self):
        run = ndscript.compile("while (true) {}").run()
        threading.Timer(0.05, run.cancel).start()
        with self.assertRaises(ndscript.LimitError) as caught:
            next(run)
        self.assertEqual(caught.exception.limit, "Cancelled")

    def test_an_interrupt_stops_a_run(self):
        threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            next(ndscript.compile("while (true) {}").run())

    def test_an_interrupt_undoes_a_call(self):
        run = ndscript.compile("var x = 1; function loop() { x = 2; while (true) {} }").run()
        next(run)
        threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            run.call("loop")
        self.assertEqual(run["x"], 1)


class Functions(unittest.TestCase):
    def test_results(self):
        engine = Engine({"twice": twice, "exits": lambda: Choices(["left", Position(1, 2)]), "pair": lambda *all: all})
        texts = [solution.text for solution in engine.compile("print(twice(4), exits(), pair(1, null));").run()]
        self.assertEqual(texts, ["8left[1, null]", "8(1,2)[1, null]"])

    def test_alternatives_are_made_when_they_are_wanted(self):
        asked = []

        def multiple(of):
            def alternative(number):
                asked.append(number)
                if number == 6:
                    raise StopIteration
                if number == 5 and of == 0:
                    raise RuntimeError("no fifth")
                return of * number

            return Choices.lazily(alternative)

        engine = Engine({"multiple": multiple})
        program = engine.compile("let x = multiple(param('of', 7)); require(x != 14); return x;")
        run = program.run()
        self.assertEqual((next(run).value, asked), (0, [0]))
        self.assertEqual((next(run).value, next(run).value, asked), (7, 21, [0, 1, 2, 3]))
        for again in (run.fork(), engine.restore(program, run.save()), run):
            self.assertEqual([solution.value for solution in again], [28, 35])
        with self.assertRaises(ndscript.ScriptError) as caught:
            list(program.run(of=0))
        self.assertIsInstance(caught.exception.__cause__, RuntimeError)

    def test_exceptions_are_causes(self):
        def locked():
            raise RuntimeError("the door is locked")

        def interrupted():
            raise KeyboardInterrupt

        engine = Engine({"locked": locked, "interrupted": interrupted, "strange": object})
        with self.assertRaises(ndscript.ScriptError) as caught:
            next(engine.compile("\nlocked();").run())
        self.assertEqual((caught.exception.diagnostic["message"], caught.exception.diagnostic["line"]), ("the door is locked", 2))
        self.assertIsInstance(caught.exception.__cause__, RuntimeError)
        with self.assertRaises(KeyboardInterrupt):
            next(engine.compile("interrupted();").run())
        with self.assertRaises(ndscript.ScriptError):
            next(engine.compile("strange();").run())

    def test_a_run_is_not_resumed_from_inside(self):
        runs = []
        engine = Engine({"again": lambda: next(runs[0])})
        runs.append(engine.compile("again();").run())
        with self.assertRaises(ndscript.ScriptError) as caught:
            next(runs[0])
        self.assertIn("busy", str(caught.exception))


class Hostile(unittest.TestCase):
    def refused(self, what, *arguments, **named):
        with self.assertRaises((ValueError, TypeError, OverflowError, ndscript.NdsError)) as caught:
            what(*arguments, **named)
        return caught.exception

    def test_values_and_texts(self):
        run = ndscript.compile("var it;").run()
        next(run)
        deep = []
        for _ in range(200_000):
            deep = [deep]
        grid = Grid(2, 1, [1, 2])
        grid.cells = [1]
        wide = Grid(1, 1, [1])
        wide.width = -1

        class Shrinking(list):
            def __iter__(self):
                while self:
                    self.pop()
                    yield self

        for wrong in (deep, grid, wide, "\ud800", {"\ud800": 1}, {1, object()}, 1j, print, iter([1])):
            self.refused(run.__setitem__, "it", wrong)
        try:
            run["it"] = Shrinking([1, 2, 3])
        except (ValueError, TypeError):
            pass
        for text in ("\ud800", None, b"print(1);", 5):
            self.refused(ndscript.compile, text)
            self.refused(ndscript.check, text)
        for steps in (-1, 2**64, "1", 1.5):
            self.refused(run.resume, steps)
        self.refused(run.answer, -1)
        self.refused(run.call, "it")
        self.refused(Engine, steps=-1)
        self.refused(Engine, seconds=float("nan"))
        self.refused(Engine, files={"a": 5})
        self.refused(Engine({"if": print}).compile, "print(1);")
        self.refused(ndscript.compile("return 1;").run, -1)

    def test_callbacks(self):
        class Unshown(Exception):
            def __str__(self):
                raise RuntimeError("again")

        def unshown():
            raise Unshown

        runs = []

        def inside(what):
            return lambda: what(runs[0])

        functions = {
            "unshown": unshown, "number": 5, "deep": lambda: functions, "noList": lambda: Choices.lazily(5),
            "wrongCount": lambda a, b: 1, "fork": inside(lambda run: run.fork()), "save": inside(lambda run: run.save()),
            "set": inside(lambda run: run.__setitem__("x", 1)), "call": inside(lambda run: run.call("f")),
        }
        for name in functions:
            try:
                program = Engine(functions).compile(f"var x; function f() {{}} {name}(); print('through');")
            except (TypeError, ValueError):
                self.assertEqual(name, "number")
            else:
                runs[:] = [program.run()]
                error = self.refused(next, runs[0])
                self.assertIsInstance(error, ndscript.ScriptError, name)

    def test_a_run_that_is_dropped_in_its_own_callback(self):
        runs = []
        engine = Engine({"drop": lambda: runs.clear()})
        runs.append(engine.compile("drop(); return 1;").run())
        self.assertEqual(next(runs[0]).value, 1)

    def test_threads_share_no_run(self):
        run = ndscript.compile("while (true) {}").run()
        said = []

        def resume():
            try:
                run.resume(20_000_000)
            except Exception as error:
                said.append(str(error))

        threads = [threading.Thread(target=resume) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all("busy" in words for words in said), said)
        self.assertEqual(run.resume(1000), "out_of_fuel")

    def test_saves_of_others(self):
        engine = Engine()
        mine, other = engine.compile("return choose(1, 2);"), engine.compile("return [choose(1, 2)];")
        run = mine.run()
        next(run)
        saved = run.save()
        self.refused(engine.restore, other, saved)
        for at in range(len(saved)):
            try:
                restored = engine.restore(mine, saved[:at] + bytes([saved[at] ^ 0x55]) + saved[at + 1:])
                restored.resume(10_000)
            except (ValueError, ndscript.NdsError):
                pass


class Pictures(unittest.TestCase):
    def test_png(self):
        solution = next(ndscript.compile("printTilemap(makeGrid(3, 2, 'red'));").run())
        png = solution.pictures[0].png(tile_size=4)
        self.assertEqual((png[:4], png[19], png[23]), (b"\x89PNG", 12, 8))
        self.assertEqual(solution._repr_png_(), solution.pictures[0]._repr_png_())
        self.assertIn("3 columns", str(solution.pictures[0]))
        self.assertIn("<svg", solution.pictures[0].svg())
        again = pickle.loads(pickle.dumps(solution))
        self.assertEqual(again.pictures[0].png(), solution.pictures[0].png())


class Processes(unittest.TestCase):
    def test_map(self):
        engine = Engine({"twice": twice})
        program = engine.compile("var x = chooseElement(range(1000)); require(param('ok', 1) > 0); return [twice(x)];")
        alone = [next(program.run(seed)).value for seed in range(6)]
        self.assertGreater(len({value[0] for value in alone}), 1)
        self.assertEqual([solution.value for solution in ndscript.map(program, range(6), processes=2)], alone)
        self.assertEqual(list(ndscript.map(program, [1], processes=1, ok=0)), [None])


class Numpy(unittest.TestCase):
    """Run by name, where numpy is installed: the package does not need it."""

    def test_arrays(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("there is no numpy")
        run = ndscript.compile("var it; return grid(it);").run()
        run["it"] = numpy.array([[1, 2, 3], [4, 5, numpy.int64(6)]])
        array = numpy.array(next(run).value)
        self.assertEqual((array.shape, array[1, 2], array.sum()), ((2, 3), 6, 21))


class Notebook(unittest.TestCase):
    """Run by name, where IPython is installed."""

    def test_cells(self):
        try:
            from IPython.core.interactiveshell import InteractiveShell
        except ImportError:
            self.skipTest("there is no IPython")
        shell = InteractiveShell.instance()
        shell.run_line_magic("load_ext", "ndscript")
        shell.user_ns["size"] = 5
        text = "printTilemap(makeGrid(param('size', 1), 2, 'red')); return [param('n', 0), param('b', false)];"
        solution = shell.run_cell_magic("ndscript", "7 size=size n=1.5 b=true", text)
        self.assertEqual(solution.value, [1.5, True])
        self.assertIn("5 columns", str(solution.pictures[0]))
        shown, _ = shell.display_formatter.format(solution)
        self.assertEqual(shown["image/png"][:4], b"\x89PNG")
        self.assertIsNone(shell.run_cell_magic("ndscript", "", "fail;"))


if __name__ == "__main__":
    unittest.main()
