// Runs the programs of this folder in C#, and prints what every binding has to print.
using System;
using System.IO;
using System.Text;
using System.Text.RegularExpressions;
using NdScript;

static class Agreement
{
    static string Field(string json, string pattern)
    {
        return Regex.Match(json, pattern).Groups[1].Value.Replace("\\\"", "\"").Replace("\\\\", "\\");
    }

    static void Main(string[] arguments)
    {
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        var blocks = File.ReadAllText(arguments[0]).Split(new[] { "=== " }, StringSplitOptions.RemoveEmptyEntries);
        var engine = new Engine();
        foreach (var block in blocks)
        {
            var end = block.IndexOf('\n');
            var name = block.Substring(0, end);
            using (var program = engine.Compile(name, block.Substring(end + 1)))
            {
                for (ulong seed = 1; seed <= ulong.Parse(arguments[1]); seed++)
                {
                    using (var run = program.Run(seed))
                    {
                        Outcome outcome;
                        do outcome = run.Resume(1000); while (outcome == Outcome.OutOfFuel);
                        var steps = Field(run.Statistics(), "\"steps\":([0-9]+)");
                        var said = outcome == Outcome.Solved ? run.Text()
                            : outcome == Outcome.Error ? Field(run.Error(), "\"message\":\"((?:[^\"\\\\]|\\\\.)*)\"") : "";
                        var pictures = outcome == Outcome.Solved ? run.PictureCount : 0;
                        output.Write("{0} {1} {2} {3} {4} {5}\n", name, seed, outcome.ToString().ToLowerInvariant(), steps, pictures,
                            said.Replace('\n', '|'));
                    }
                }
            }
        }
        output.Flush();
    }
}
