// What the file promises, each part used once.

using System;
using System.Text;
using System.Threading;
using NdScript;

static class Test
{
    static void Same(object found, object expected)
    {
        if (!Equals(found, expected)) throw new Exception("found " + found + ", expected " + expected);
    }

    static string Refuses(string part, Action action)
    {
        try { action(); }
        catch (NdsException why)
        {
            if (!why.Message.Contains(part)) throw new Exception("not " + part + ": " + why.Message);
            return why.Diagnostics;
        }
        throw new Exception("nothing was refused");
    }

    static Run Solved(Engine engine, string text, string parameters = null)
    {
        using (var program = engine.Compile("t.nds", text))
        {
            var run = program.Run(1, parameters);
            Same(run.Resume(1000000), Outcome.Solved);
            return run;
        }
    }

    class Unshown : Exception
    {
        public override string Message { get { throw new Exception("again"); } }
    }

    static void Hostile(Engine engine)
    {
        HostCall kept = null;
        Run itself = null;
        engine.AddFunction("keep", (call, arguments) => { kept = call; call.Return("1"); });
        engine.AddFunction("unshown", (call, arguments) => { throw new Unshown(); });
        engine.AddFunction("again", (call, arguments) => itself.Resume(1));
        engine.AddFunction("gone", (call, arguments) => itself.Dispose());
        Solved(engine, "keep();").Dispose();
        Refuses("NULL", () => kept.Return("1"));
        foreach (var name in new[] { "unshown", "again" })
        {
            using (itself = engine.Compile("t.nds", name + "(); print('through');").Run(1))
            {
                Same(itself.Resume(1000), Outcome.Error);
                Same(itself.Error().Contains(name == "again" ? "busy" : "Unshown"), true);
            }
        }
        itself = engine.Compile("t.nds", "gone(); print('through');").Run(1);
        Same(itself.Resume(1000), Outcome.Solved);
        Gone(() => itself.Resume(1));
        Gone(() => engine.Compile("t.nds", "print(1);\0 fail;"));
        Gone(() => engine.AddFunction("nothing", null));
        Gone(() => engine.AddFunction("a\0b", (call, arguments) => { }));
        Gone(() => engine.AddFile("a.nds", null));
        Gone(() => engine.Complete("pri", -1));
        Gone(() => engine.Restore(null, new byte[1]));
        Refuses("..", () => engine.AddFile("../a.nds", new byte[0]));
        Refuses("if", () => engine.AddFunction("if", (call, arguments) => { }));

        // What is not there is null; what fails is an exception.
        engine.AddFunction("meddle", (call, arguments) => Meddle[int.Parse(arguments.Trim('[', ']'))](itself));
        for (int which = 0; which < Meddle.Length; which++)
        {
            using (itself = engine.Compile("t.nds", "meddle(param('which', 0));").Run(1, "{\"which\": " + which + "}"))
            {
                Same(itself.Resume(1000), Outcome.Error);
                Same(itself.Error().Contains("busy"), true);
            }
        }
        using (var run = Solved(engine, "printTilemap(makeGrid(1, 1, 'red')); var g = makeGrid(2, 2, 1); function same(x) { return x; }"))
        {
            Same(run.Error() + run.Question() + run.FailureMessage(), "");
            Refuses("no picture 1", () => run.PictureOffset(1));
            Gone(() => run.Png(-1));
            Gone(() => run.Calls(-1));
            Gone(() => Same(run.Grid("g")[2, 0], 1));
            double result;
            Gone(() => run.CallNumbers("same", 100, out result, null));
        }
        Refuses("9007199254740993", () => engine.Compile("t.nds", "param('n', 0);").Run(1, "{\"n\": 9007199254740993}"));
        using (var run = Solved(engine, "print('a\ud800b');")) Same(run.Text(), "a\ufffdb");

        // Saved runs of strangers.
        using (var sealing = new Engine())
        {
            sealing.SetSaveKey(Encoding.ASCII.GetBytes("a secret of thirty-two bytes ..."));
            using (var program = sealing.Compile("t.nds", "print(1);"))
            {
                var saved = program.Run(1).Save();
                sealing.Restore(program, saved).Dispose();
                Refuses("key", () => engine.Restore(program, saved));
            }
            Refuses("32 bytes", () => sealing.SetSaveKey(new byte[31]));
        }
    }

    static readonly Action<Run>[] Meddle =
    {
        run => run.Error(), run => run.Question(), run => run.FailureMessage(), run => run.Globals(), run => run.Text(),
        run => Same(run.PictureCount, 0), run => run.PictureOffset(0), run => run.Statistics(), run => run.Save(),
    };

    static string Steps(Run run)
    {
        var figures = run.Statistics();
        return figures.Substring(figures.IndexOf("\"steps\":"));
    }

    // Alternatives one by one: asked for when the search goes back, by a clone for itself, until there are no more.
    static void Alternatives(Engine engine)
    {
        var numbers = "";
        engine.AddAlternatives("multiple", (call, arguments, number) =>
        {
            numbers += number + " ";
            call.Return((3 * (number + 1)).ToString());
            call.Charge(1000);
        });
        engine.AddAlternatives("letters", (call, arguments, number) => { if (number < 2) call.Return(number == 0 ? "\"ü\"" : "null"); });
        engine.AddAlternatives("dry", (call, arguments, number) =>
        {
            if (number > 0) throw new Exception("the well is dry");
            call.Return("1");
        });
        engine.AddAlternatives("listed", (call, arguments, number) => call.Choices("[1]"));
        using (var run = Solved(engine, "let x = multiple(); require(x > 7); return x;"))
        using (var clone = run.Clone())
        {
            Same(run.Value() + " " + numbers, "9 0 1 2 ");
            Same(run.Resume(100000), Outcome.Solved);
            Same(clone.Resume(100000), Outcome.Solved);
            Same(run.Value() + clone.Value() + " " + numbers, "1212 0 1 2 3 3 ");
            Same(Steps(run), Steps(clone));
        }
        using (var run = Solved(engine, "return solutions(() => letters());")) Same(run.Value(), "[\"ü\",null]");
        foreach (var mistake in new[] { "dry() > 1|the well is dry", "listed() > 1|one alternative at a time" })
        {
            var parts = mistake.Split('|');
            using (var run = engine.Compile("t.nds", "\nrequire(" + parts[0] + ");").Run(1))
            {
                Same(run.Resume(1000), Outcome.Error);
                Same(run.Error().Contains(parts[1]) && run.Error().Contains("\"line\":2"), true);
            }
        }
        Gone(() => engine.AddAlternatives("nothing", null));
    }

    static void Gone(Action action)
    {
        try { action(); }
        catch (ArgumentException) { return; }
        catch (ObjectDisposedException) { return; }
        throw new Exception("nothing was refused");
    }

    static void Main()
    {
        using (var engine = new Engine())
        {
            engine.AddFile("a.nds", Encoding.UTF8.GetBytes("var a = 5;"));
            engine.AddFunction("echo", (call, arguments) => call.Return(arguments), 1, 3);
            engine.AddFunction("exits", (call, arguments) => { call.Choices("[1, \"ü\"]"); call.Charge(10); });
            engine.AddFunction("locked", (call, arguments) => { throw new Exception("the door is locked"); });

            using (var run = Solved(engine, "import 'a.nds'; print(echo(a, null), exits()); return [setOf(2, 1), param('n', 1)];", "{\"n\": 7}"))
            {
                Same(run.Text(), "[5, null]1");
                Same(run.Value(), "[[1,2],7]");
                Same(run.Value(true), "[{\"$\":\"set\",\"elements\":[1,2]},7]");
                using (var clone = run.Clone())
                {
                    Same(clone.Resume(1000000), Outcome.Solved);
                    Same(clone.Text(), "[5, null]ü");
                    Same(clone.Resume(1000000), Outcome.Failed);
                }
            }
            Same(Refuses("t.nds:2", () => engine.Compile("t.nds", "var x = 1;\nvar y = ;")).Contains("\"line\":2"), true);
            Same(engine.Check("t.nds", "print(prnit);").Contains("did you mean `print`?"), true);
            using (var program = engine.Compile("t.nds", "\nlocked();"))
            using (var run = program.Run(1))
            {
                Same(run.Resume(1000), Outcome.Error);
                Same(run.Error().Contains("the door is locked") && run.Error().Contains("\"line\":2"), true);
            }
            using (var program = engine.Compile("t.nds", "var h = 9; function hit(n) { h -= n; return h; } print(input('Who?')); choose first h += 0; or h = 50;"))
            using (var run = program.Run(1))
            {
                Same(run.Resume(1000), Outcome.Asked);
                Same(run.Question(), "{\"options\":null,\"prompt\":\"Who?\"}");
                Same(run.Answer(0), false);
                Same(run.Answer("Ada"), true);
                Same(run.Resume(1000), Outcome.Solved);
                var saved = run.Save();
                run.BeginCall("hit", "[2]");
                Same(run.ResumeCall(1000), Outcome.Solved);
                Same(run.Value(), "7");
                run.EndCall();
                Same(run.Global("h"), "7");
                double left;
                Same(run.CallNumbers("hit", 1000, out left, 2), Outcome.Solved);
                Same(left, 5.0);
                Same(run.CallNumbers("hit", 1000, out left, 0.5), Outcome.Solved);
                Same(left, 4.5);
                Refuses("hti", () => run.CallNumbers("hti", 1000, out left));
                run.SetGlobal("h", "3");
                Same(run.Global("h"), "3");
                Refuses("hti", () => run.BeginCall("hti"));
                using (var again = engine.Restore(program, saved))
                {
                    Same(again.Resume(1000), Outcome.Solved);
                    Same(again.Global("h"), "50");
                }
                Refuses("", () => engine.Restore(program, new byte[10]));
            }
            using (var run = Solved(engine, "var g = grid([['a', 'b', 1]]); printTilemap(makeGrid(3, 2, 'red'));"))
            {
                var grid = run.Grid("g", "[\"a\", \"b\"]");
                Same(grid.Width + " " + grid.Height + " " + grid[0, 0] + grid[1, 0] + grid[2, 0], "3 1 01-1");
                Same(run.PictureCount, 1);
                var png = run.Png(0, 4);
                Same(png[1] + " " + png[19] + " " + png[23], (byte)'P' + " 12 8");
                Refuses("no picture 3", () => run.Png(3));
                Same(run.PictureWords(0).Contains("3 columns") + " " + run.PictureOffset(0), "True 0");
                Refuses("no picture 3", () => run.PictureWords(3));
                // A call that prints no picture leaves those of the solution.
                run.BeginCall("sizeOf", "[[1]]");
                Same(run.ResumeCall(1000), Outcome.Solved);
                run.EndCall();
                Same(run.PictureCount, 1);
                Same(run.Globals().Contains("\"g\":"), true);
            }
            using (var program = engine.Compile("t.nds", "while (true) {}"))
            using (var run = program.Run(1))
            {
                new Timer(_ => run.Cancel(), null, 50, Timeout.Infinite);
                Same(run.Resume(ulong.MaxValue), Outcome.Limit);
                run.Uncancel();
                Same(run.Resume(100), Outcome.OutOfFuel);
                run.BeginCall("range", "[5]");
                run.Cancel();
                Same(run.ResumeCall(1000), Outcome.Limit);
                run.Uncancel();
                Same(run.ResumeCall(1000), Outcome.Solved);
                run.EndCall();
                Same(run.Calls().Contains("\"line\":1"), true);
            }
            using (var program = engine.Compile("t.nds", "require(param('n', 1) > 1, 'too small');"))
            {
                Same(program.Parameters(), "[\"n\"]");
                Refuses("no parameter \"m\"", () => program.Run(1, "{\"m\": 1}"));
                using (var run = program.Run(1))
                {
                    Same(run.FailureMessage(), null);
                    Same(run.Resume(1000), Outcome.Failed);
                    Same(run.FailureMessage(), "too small");
                }
            }
            Same(engine.Complete("chooseEl", 8).Contains("\"chooseElement\""), true);
            Same(engine.Functions().Contains("\"chooseElement\"") && char.IsDigit(Engine.Version[0]), true);
            Refuses("no limit", () => engine.SetLimit("stpes", 1));
            Alternatives(engine);
            Hostile(engine);
        }
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Console.WriteLine("all of the C# test passed");
    }
}
