// The tree: a row of numbers for each property of its nodes.
const DATA = JSON.parse(document.getElementById("data").textContent);
const COUNT = DATA.parent.length;
const parent = new Int32Array(COUNT);
const depth = new Int32Array(COUNT);
const step = new Float64Array(COUNT);
const failures = new Float64Array(COUNT);
const solved = new Uint8Array(COUNT);
const dead = new Uint8Array(COUNT);
// The children of a node follow one another as `first` and `next` say.
const first = new Int32Array(COUNT).fill(-1);
const next = new Int32Array(COUNT).fill(-1);
{
  const last = new Int32Array(COUNT).fill(-1);
  let now = 0;
  for (let at = 0; at < COUNT; at++) {
    const above = at - DATA.parent[at];
    parent[at] = at === 0 ? -1 : above;
    now += DATA.step[at];
    step[at] = now;
    if (at === 0) continue;
    depth[at] = depth[above] + 1;
    if (last[above] < 0) first[above] = at;
    else next[last[above]] = at;
    last[above] = at;
  }
  const alive = new Uint8Array(COUNT);
  for (let at = COUNT - 1; at >= 0; at--) {
    const state = DATA.state[at];
    failures[at] += DATA.failures[at];
    if (state === "s") solved[at] = 1;
    dead[at] = (state === "f" || state === "i") && !alive[at] && !DATA.stop[at] ? 1 : 0;
    if (at === 0) break;
    const above = parent[at];
    failures[above] += failures[at];
    solved[above] |= solved[at];
    if (!dead[at]) alive[above] = 1;
  }
}

function childrenOf(at) {
  const found = [];
  for (let child = first[at]; child >= 0; child = next[child]) found.push(child);
  return found;
}

// The nodes from the beginning to this one.
function wayTo(at) {
  const way = [];
  for (; at >= 0; at = parent[at]) way.push(at);
  return way.reverse();
}

const text = (row, at) => DATA.texts[DATA[row][at]];

function words(at) {
  if (at === 0) return "start";
  const label = text("label", at).replace(/\s+/g, " ");
  return `${DATA.alternative[at] + 1} of ${DATA.of[at]}` + (label ? `: ${label}` : "");
}

const counted = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
