// The gallery for people: groups in the order in which they are shown, each with its programs, their names and a sentence.
// A third thing says what is different: `isPuzzle` if the first picture is a puzzle and the others are its solution, `isSolvedHere` if it prints its
// solution alone, so that its board is shown; `isRiddle: false` if there is nothing to be solved by a person, as in all that is no puzzle; and the `seed` of a program that
// takes too long with 1, or other `parameters` with which it does not. Those whose pictures have tiles come first. A program that is in none stands at the end, named after its file.
const GAMES = "Games to play";
const PUZZLES = ["Puzzles", "New puzzles, with one solution"];

export const GROUPS = [
    ["Maps", {
        "village/village": ["A village", "Houses never touch, and everybody can walk to the well."],
        "tiles/weights": ["Sand, grass and water", "Grass never touches water, and weights say what there is more of."],
        "paths/maze": ["A way through mud", "The cheapest way through a large random maze of dry ground and mud."],
        "tiles/sample": ["In the style of a sample", "Learns from a small map what may lie beside what, and makes a large one."],
        "tiles/smallest_first": ["Six kinds of land", "The cell with the fewest choices left comes next, so that a wrong guess shows early."],
        "tiles/connected": ["One island", "Land in one piece, enough of it, and the sea all around."],
        "levels/town": ["A town", "Every house has its door on a road, and every road leads to every other."],
        "tiles/torus": ["A map without edges", "Who leaves it on the right comes back on the left."],
    }],
    ["Puzzles", {
        "sudoku/short": ["Sudoku", "A rule for each row, column and box, and that is all. Solve it yourself, with hints.", { isSolvedHere: true, parameters: { puzzle: "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79" } }],
        "sudoku/sudoku": ["Sudoku, the solver written out", "The same without rules that are there: each cell keeps the digits that it may still be."],
        "queens/queens": ["Eight queens", "Queens on a board, none of which attacks another."],
        "nonogram/nonogram": ["Nonogram", "Numbers beside rows and columns say which cells are filled, and a picture comes of it.", { isSolvedHere: true }],
        "zebra/zebra": ["Who keeps the zebra?", "Five houses, five nations, five pets, and the clues that tell who is who."],
        "puzzles/money": ["SEND + MORE = MONEY", "A sum in letters, each of which is a digit of its own."],
        "puzzles/killer": ["Killer sudoku", "No digit is given, but the sums of cages."],
        "puzzles/knights": ["Knights on guard", "How few knights guard every square of a board?", { isRiddle: false }],
        "puzzles/mines": ["Where are the mines?", "What is certain in a game of minesweeper, and what is not."],
        "puzzles/timetable": ["A school's timetable", "Four classes, five days, and teachers who can be in one room only.", { isRiddle: false }],
    }],
    ["New puzzles, with one solution", {
        "makers/stars": ["A star battle", "A star in each row, column and region, and no two that touch."],
        "puzzles/slitherlink": ["A new slitherlink", "A loop along lines, and the numbers that tell where it runs.", { isPuzzle: true }],
        "sudoku/make": ["A new sudoku", "A full board, and then as few digits as leave it the only solution."],
        "makers/fillomino": ["A fillomino", "Equal numbers form pieces, as large as their number.", { seed: 2, parameters: { size: 5, largest: 5 } }],
        "makers/nurikabe": ["A nurikabe", "Islands of given sizes, and one piece of sea between them.", { seed: 5, parameters: { size: 6 } }],
        "makers/binairo": ["A binairo", "As many zeros as ones, and never three alike side by side.", { seed: 14 }],
        "makers/skyscrapers": ["Skyscrapers", "How many houses can be seen from each side, behind one another?"],
        "makers/bridges": ["Bridges", "Islands that say how many bridges lead to them."],
        "makers/nonogram": ["A new nonogram", "A picture of blots, and the runs that tell all of it.", { isSolvedHere: true }],
    }],
    ["Dungeons and treasure", {
        "dungeons/make": ["A new dungeon puzzle", "Draws dungeons until the clues of one have exactly one solution.", { isPuzzle: true }],
        "dungeons/solve": ["A dungeon solved", "Walls are counted, and guessed only where counting does not tell."],
        "levels/lock": ["The key before the door", "A level whose treasure lies behind a door, and whose key never does."],
        "levels/tower": ["A tower", "Floors over one another, stairs between them, and a long way up to the treasure."],
        "loot/loot": ["What lies in a chest", "Rare things are rare, nothing comes twice, and the chest is worth what it should be."],
        "witches/make": ["Recipes for witches", "Deals random recipes until one of them can be brewed."],
    }],
    ["Stories and people", {
        "characters/characters": ["Characters", "People for a story, by rules with weights."],
        "people/people": ["A village worth a story", "Who loves, owes money to, and fears whom."],
        "names/names": ["Names", "Learns from a list how names sound, and makes new ones."],
        "names/tales": ["Tales", "Short tales from rules, with one hero and no animal twice."],
    }],
    [GAMES, {
        "games/minesweeper": ["Minesweeper", "The first click is always safe, and what follows from your flags is marked."],
        "dungeons/play": ["Dungeon puzzle", "Mark walls with a click, floor with a right click. With automatic, what follows is marked, too.", { parameters: { automatic: false } }],
        "witches/brew": ["Brew a potion", "Put ingredients into the cauldron, one by one, until the numbers are right."],
        "games/guess": ["Guess a number", "Too high, or too low?"],
        "games/rock_paper_scissors": ["Rock, paper, scissors", "Who wins three rounds first has won."],
        "games/chemist": ["The chemist", "Dilute the acid, or it explodes. You have nine lives."],
    }],
    ["Simulations", {
        "scent/creatures": ["Three creatures", "One goes to where it smells, one flees, one walks round the source."],
        "scent/hound": ["Hare and hound", "A hare leaves a smell that fades, and a hound follows it."],
        "scent/wind": ["Smell in the wind", "With the wind a smell carries far, against it hardly at all."],
        "scent/twisty": ["Smell in a maze", "How a smell spreads through passages with many corners."],
        "barbershop/barbershop": ["A barbershop", "Customers come, wait, and leave: a morning, minute by minute."],
        "barbershop/long_run": ["Many customers", "A long queue, beside what theory says about it."],
    }],
    ["To learn from", {
        "lesson/1_guess_and_check": ["1. Guess and check", "Guess everything, then check: it takes for ever."],
        "lesson/2_check_early": ["2. Check early", "Check each guess as soon as there is something to check it against."],
        "lesson/3_keep_sets": ["3. Keep sets", "Each cell keeps what it may still be, and a guess takes from the cells beside it."],
        "lesson/4_propagate": ["4. Propagate", "What was taken away takes away more."],
        "lesson/5_where_next": ["5. Where next?", "Which cell is best guessed next?"],
        "lesson/6_too_late": ["6. Too late", "A demand that is looked at when everything is decided."],
        "lesson/6_in_time": ["6. In time", "The same demand, looked at whenever a cell loses something."],
        "lesson/7_without_a_guess": ["7. Without a guess", "The island as a puzzle: what can be concluded, step by step."],
    }],
];

export const OTHERS = "More programs";
export const TOUR = "The tour, program by program";

/** Group, name and sentence of each program by its name in the examples. */
const CURATED = new Map(GROUPS.flatMap(([group, programs]) => Object.entries(programs).map(([name, [title, words, more = {}]]) => [name, { group, title, words, isRiddle: PUZZLES.includes(group) || more.isPuzzle === true, ...more }])));

const nameOf = ({ folder, path }) => `${folder}/${path.replace(/\.nds$/, "")}`;
const firstSentence = (words) => /^.*?[.?!:](?= |$)/.exec(words)?.[0].replace(/:$/, ".") ?? words;
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** The programs as people find them: in the order of the groups, with names and a sentence. */
export function grouped(programs) {
    const order = [...CURATED.keys()];
    const shown = programs.map((program) => {
        const name = nameOf(program);
        if (CURATED.has(name)) return { ...program, ...CURATED.get(name), isGame: CURATED.get(name).group === GAMES || undefined };
        if (program.folder === "tour") return { ...program, group: TOUR, isFurther: true };
        const [folder, path] = name.split("/").map((part) => part.replaceAll("_", " "));
        return { ...program, isFurther: true, group: OTHERS, title: capital(folder === path ? path : `${folder}: ${path}`), words: firstSentence(program.words) };
    });
    const gone = order.filter((name) => !shown.some((program) => nameOf(program) === name && !program.isSilent));
    if (gone.length > 0) throw new Error(`build/groups.mjs names ${gone.join(", ")}, which the examples do not have, or which shows nothing`);
    const place = (program) => {
        const at = order.indexOf(nameOf(program));
        return at >= 0 ? at : order.length + (program.group === TOUR ? 1 : 0);
    };
    return shown.sort((a, b) => place(a) - place(b));
}
