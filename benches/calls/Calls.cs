// What a call costs through C#.

using System;
using System.Diagnostics;
using System.IO;
using NdScript;

static class Calls
{
    static Run run;

    static long Call(string function, string arguments)
    {
        run.BeginCall(function, arguments);
        if (run.ResumeCall(ulong.MaxValue) != Outcome.Solved) throw new Exception(run.Error());
        var value = long.Parse(run.Value());
        run.EndCall();
        return value;
    }

    static void Measure(string name, long times, Action work)
    {
        var started = Process.GetCurrentProcess().TotalProcessorTime;
        work();
        var took = Process.GetCurrentProcess().TotalProcessorTime - started;
        Console.WriteLine(name + " " + (long)(took.TotalMilliseconds * 1e6 / times));
    }

    static void Check(bool holds) { if (!holds) throw new Exception("a wrong result"); }

    static void Main(string[] arguments)
    {
        var times = long.Parse(arguments[1]);
        var engine = new Engine();
        engine.AddFunction("twice", (call, list) => call.Return((2 * long.Parse(list.Trim('[', ']'))).ToString()), 1, 1);
        run = engine.Compile("calls.nds", File.ReadAllText(arguments[0])).Run(1);
        Check(run.Resume(ulong.MaxValue) == Outcome.Solved);
        Measure("script", times, () => { for (long i = 0; i < times; i++) Check(Call("half", "[14]") == 7); });
        double result;
        Measure("numbers", times, () => { for (long i = 0; i < times; i++) Check(run.CallNumbers("half", ulong.MaxValue, out result, 14) == Outcome.Solved && result == 7); });
        Measure("host", times, () => Check(Call("askHost", "[" + times + "]") == times * (times - 1)));
    }
}
