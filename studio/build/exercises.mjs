// Exercises of the page: those of the tour, which stand here alone, and answers to all. `hole` is the line of the program that is to be
// written, `answer` what may stand there; functions whose names begin with `test` say whether it is solved.

/** By the titles of the tour's chapters. */
export const OF_TOUR = {
    Guessing: {
        words: "Let it guess a dessert, too.",
        text: `// A meal has a main dish, a drink and a dessert: "cake" or "ice".
var main, drink, dessert;
choose main = "soup"; or main = "fish"; or main = "rice";
choose drink = "tea"; or drink = "wine";
// Here is a line missing.
printLine(main, ", ", drink, ", ", dessert);

function testThereIsADessert() { return contains(dessert, setOf("cake", "ice")); }
`,
        hole: "// Here is a line missing.",
        answer: "choose dessert = \"cake\"; or dessert = \"ice\";",
    },
    Failing: {
        words: "Two dice show nine together, and the first shows more than the second. Say so.",
        text: `// Two dice show nine together, and the first shows more than the second.
var a = choose(1, 2, 3, 4, 5, 6);
var b = choose(1, 2, 3, 4, 5, 6);
// Here are two lines missing.
printLine(a, " and ", b);

function testTheSumIsNine() { return a + b == 9; }
function testTheFirstShowsMore() { return a > b; }
`,
        hole: "// Here are two lines missing.",
        answer: "require(a + b == 9);\nrequire(a > b);",
    },
    Constraints: {
        words: "A row of flags: no two neighbors have one color, and the first is red.",
        text: `// A row of flags: no two neighbors have one color, and the first is red.
let flags = makeGrid(6, 1, setOf("red", "green", "blue"));
// Here are two lines missing.
decide(flags);
printTilemap(mapGrid(flags, singletonValue));

function testNeighborsDiffer() { return all(range(5), i => valueAt(flags, position(i, 0)) != valueAt(flags, position(i + 1, 0))); }
function testTheFirstIsRed() { return valueAt(flags, position(0, 0)) == "red"; }
`,
        hole: "// Here are two lines missing.",
        answer: "adjacent(flags, (a, b) => a != b);\nnarrow(flags, position(0, 0), \"red\");",
    },
};

/** To the exercises of the lesson, in their order there. */
export const OF_LESSON = [
    { hole: "return true;", answer: "return isEmpty(digits) || digits[sizeOf(digits) - 1] != next;" },
    { hole: "return candidates;", answer: "return intersection(candidates, fitting(tiles));" },
    { hole: "// Here is a line missing.", answer: "atLeast(g, 9, \"grass\");" },
];
