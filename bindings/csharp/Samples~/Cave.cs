// A cave whose floor is connected, printed. `mono Cave.exe 7`

using System;
using NdScript;

static class Cave
{
    const string Script = @"
        var cave = makeGrid(16, 6, setOf(' ', '#'));
        exactly(cave, floorCells(), ' ');
        connected(cave, ' ');
        decide(cave);";

    static void Main(string[] arguments)
    {
        using (var engine = new Engine())
        {
            engine.AddFunction("floorCells", (call, none) => call.Return("40"), 0, 0);
            using (var program = engine.Compile("cave.nds", Script))
            using (var run = program.Run(arguments.Length > 0 ? ulong.Parse(arguments[0]) : 1))
            {
                // In a game a frame gives some steps, and draws while there is no map yet.
                while (run.Resume(20000) == Outcome.OutOfFuel) { }
                var cave = run.Grid("cave", "[\" \", \"#\"]");
                for (int y = 0; y < cave.Height; y++)
                {
                    for (int x = 0; x < cave.Width; x++) Console.Write(cave[x, y] == 0 ? ' ' : '#');
                    Console.WriteLine();
                }
            }
        }
    }
}
