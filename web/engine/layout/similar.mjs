// An order of functions in which similar ones stand close to one another. What compresses a file looks back some 32 KiB, and
// the copies of one generic function for many types lie far apart as the compiler writes them.

const SHINGLE = 6;
const WINDOW = 28_000;
/** What so many functions share says nothing about any of them. */
const MOST_SHARED = 300;

/** The numbers of the pieces of `SHINGLE` bytes that a function consists of. */
function shinglesOf(body, numbers) {
    const found = new Set();
    for (let start = 0; start + SHINGLE <= body.length; start++) {
        let hash = 0;
        for (let at = start; at < start + SHINGLE; at++) hash = Math.imul(hash ^ body[at], 0x01000193);
        hash ^= hash >>> 15;
        if (!numbers.has(hash)) numbers.set(hash, numbers.size);
        found.add(numbers.get(hash));
    }
    return [...found];
}

/** Places in a list of functions, in an order in which the next one is always the one most like those just before it. */
export function bySimilarity(bodies) {
    const numbers = new Map();
    const shingles = bodies.map((body) => shinglesOf(body, numbers));
    const holders = Array.from(numbers, () => []);
    shingles.forEach((all, index) => all.forEach((shingle) => holders[shingle].push(index)));
    const times = new Int32Array(holders.length);
    const shared = new Int32Array(bodies.length);
    const count = (shingle, change) => {
        if (holders[shingle].length <= MOST_SHARED) for (const index of holders[shingle]) shared[index] += change;
    };

    const left = bodies.map((_, index) => index);
    const order = [];
    let [oldest, bytes] = [0, 0];
    while (left.length > 0) {
        let best = 0;
        let most = -1;
        for (let place = 0; place < left.length; place++) {
            const index = left[place];
            const share = shared[index] / (shingles[index].length + 10);
            if (share > most) [most, best] = [share, place];
        }
        const [next] = left.splice(best, 1);
        order.push(next);
        for (const shingle of shingles[next]) if (times[shingle]++ === 0) count(shingle, 1);
        bytes += bodies[next].length;
        while (bytes > WINDOW && oldest < order.length - 1) {
            const gone = order[oldest++];
            for (const shingle of shingles[gone]) if (--times[shingle] === 0) count(shingle, -1);
            bytes -= bodies[gone].length;
        }
    }
    return order;
}
