const HEIGHT = 22;
const open = new Uint8Array(COUNT);
const tree = document.getElementById("tree");
const rows = document.getElementById("rows");
const details = document.getElementById("details");
let shown = [];
// By node: how far its row is indented, and how many nodes of a chain its row stands for.
const indent = new Int32Array(COUNT);
const chain = new Int32Array(COUNT);
// The nodes of chains that were unfolded.
const unchained = new Uint8Array(COUNT);
// Chains of so many nodes are folded.
const CHAIN = 3;
let picked = 0;

const originOf = at => (DATA.origin ? DATA.origin[at] : "");
const partings = new Set(DATA.partings);

function foldFailures() { for (let at = 0; at < COUNT; at++) open[at] = !dead[at] || at === 0 ? 1 : 0; }

const onlyChild = at => open[at] && first[at] >= 0 && next[first[at]] < 0 ? first[at] : -1;

// How many nodes follow one another from here on that are the only ones and have just one node below them.
function chainFrom(at) {
  let length = 0;
  while (!unchained[at] && next[at] < 0 && !partings.has(at) && onlyChild(at) >= 0 && originOf(at) === originOf(parent[at])) {
    length++;
    at = onlyChild(at);
  }
  return length;
}

// The nodes that are to be seen, in order. A chain is one row, of its first node; what it ends with comes behind it.
function list() {
  shown = [];
  chain.fill(0);
  for (let at = 0; at >= 0;) {
    indent[at] = at > 0 ? indent[parent[at]] + 1 : 0;
    const length = at > 0 && first[parent[at]] === at ? chainFrom(at) : 0;
    shown.push(at);
    if (length >= CHAIN) {
      chain[at] = length;
      const row = indent[at];
      for (let left = length; left > 0; left--) {
        indent[at] = row;
        at = first[at];
      }
    } else if (open[at] && first[at] >= 0) at = first[at];
    else {
      while (at >= 0 && next[at] < 0) at = parent[at];
      if (at >= 0) at = next[at];
    }
  }
  rows.style.height = shown.length * HEIGHT + "px";
}

// Lets the chain whose row this is be seen node by node.
function unchain(at) {
  for (let left = chain[at]; left > 0; left--) {
    unchained[at] = 1;
    at = first[at];
  }
}

function kind(at) { return solved[at] ? "good" : dead[at] ? "bad" : "rest"; }


function ended(state, why) {
  if (state === "s") return "solution";
  if (state === "f") return why ? `failed: ${why}` : "failed";
  if (state === "o") return why || "open";
  return why || "goes on";
}

function outcome(at) {
  const state = DATA.state[at];
  if (DATA.ended && DATA.ended[at]) {
    const [one, other] = DATA.ended[at].map(([state, why]) => ended(state, DATA.texts[why]));
    return `first: ${one}; second: ${other}`;
  }
  if (DATA.stop[at]) return DATA.stop[at][0];
  if (state === "f") return ended(state, text("why", at)) + (DATA.whyLine[at] ? `, ${lineOf(DATA.whyFile[at], DATA.whyLine[at])}` : "");
  if (state !== "i") return ended(state, "");
  if (!open[at] || DATA.folded[at]) return failures[at] ? counted(failures[at], "failure") : "";
  return "";
}

function element(name, className, content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (content !== undefined) made.textContent = content;
  return made;
}

// Only the rows in sight are there.
function draw() {
  const from = Math.max(0, Math.floor(tree.scrollTop / HEIGHT) - 20);
  const to = Math.min(shown.length, Math.ceil((tree.scrollTop + tree.clientHeight) / HEIGHT) + 20);
  const fragment = document.createDocumentFragment();
  for (let i = from; i < to; i++) {
    const at = shown[i];
    const row = element("div", "row" + (at === picked ? " picked" : ""));
    row.style.top = i * HEIGHT + "px";
    row.style.paddingLeft = Math.min(indent[at], 60) * 16 + 6 + "px";
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", indent[at] + 1);
    if (at === picked) row.setAttribute("aria-selected", "true");
    if (first[at] >= 0) row.setAttribute("aria-expanded", open[at] && !chain[at] ? "true" : "false");
    row.dataset.at = at;
    if (chain[at]) {
      row.append(
        element("span", "mark", "▸"),
        element("span", "rest", `... ${counted(chain[at], "choice")}, each of a single alternative tried`),
      );
      fragment.append(row);
      continue;
    }
    const said = outcome(at);
    row.append(
      element("span", "mark", first[at] < 0 ? "·" : open[at] ? "▾" : "▸"),
      element("span", { "<": "one", ">": "other" }[originOf(at)] || "", originOf(at) ? originOf(at) + " " : ""),
      element("span", kind(at), words(at)),
      element("span", "rest", said ? "  — " + said : ""),
      element("span", "parting", partings.has(at) ? "  ◆ here they part" : ""),
    );
    fragment.append(row);
  }
  rows.replaceChildren(fragment);
}

function section(title, content) {
  if (content) details.append(element("h2", "", title), element("pre", "", content));
}

const lineOf = (file, line) => (DATA.files[file].name ? `${DATA.files[file].name}, ` : "") + `line ${line}`;

function source(title, file, line) {
  if (!line) return;
  const body = element("pre");
  const lines = DATA.files[file].lines;
  for (let n = Math.max(1, line - 3); n <= Math.min(lines.length, line + 3); n++) {
    body.append(element("span", n === line ? "here" : "", String(n).padStart(4) + "  " + lines[n - 1] + "\n"));
  }
  details.append(element("h2", "", title), body);
}

const WHEN = { s: "at the solution", f: "as it failed", o: "where it was left", i: "at the choice that comes next" };

// The map at the picked node, in one of two runs; what has changed there, in words.
function showMap(run) {
  const map = mapAt(picked, run);
  if (!map) return [];
  const isOwn = map.at === picked;
  const ends = DATA.ended && DATA.ended[map.at];
  const when = WHEN[ends ? ends[run][0] : DATA.state[map.at]];
  const whose = !DATA.origin ? "" : originOf(picked) === "=" ? [" in the first", " in the second"][run] : "";
  details.append(element("h2", "", `${DATA.mapName}${whose} ${when}`));
  if (!isOwn) {
    details.append(element("p", "rest", `The page has no room for the map here: this is the one ${counted(depth[picked] - depth[map.at], "choice")} earlier.`));
    map.changed = [];
    map.first = -1;
  }
  const canvas = element("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${DATA.mapName}, ${map.width} by ${map.height}, ${counted(map.changed.length, "change")}`);
  drawMap(canvas, map);
  const pointed = element("p", "rest", map.changed.length ? "Framed: what this choice has changed, in yellow where it began." : "\u00a0");
  const under = pointed.textContent;
  canvas.addEventListener("mousemove", event => {
    const seen = canvas.clientWidth / map.width;
    const [x, y] = [Math.floor(event.offsetX / seen), Math.floor(event.offsetY / seen)];
    const cell = y * map.width + x;
    if (x < map.width && map.cells[cell] !== undefined) pointed.textContent = `${placeOf(map, cell)}: ${inWords(map.cells[cell])}`;
  });
  canvas.addEventListener("mouseleave", () => { pointed.textContent = under; });
  details.append(canvas, pointed);
  return map.changed.map(cell => `${placeOf(map, cell)}: ${inWords(map.before[cell])} → ${inWords(map.cells[cell])}`);
}

const MOST_CHANGES = 40;

function explain() {
  details.replaceChildren();
  const said = outcome(picked);
  const title = element("h2", kind(picked), words(picked) + (said ? " — " + said : ""));
  const place = element("p", "rest", `depth ${depth[picked]}, step ${step[picked]}` + (failures[picked] ? `, ${counted(failures[picked], "failure")}` : ""));
  details.append(title, place);
  const isSecond = originOf(picked) === ">" ? 1 : 0;
  const changes = showMap(isSecond);
  // Both maps, where what both have chosen has led to different ones.
  if (originOf(picked) === "=" && wayTo(picked).some(at => DATA.secondMap && DATA.secondMap[at])) showMap(1);
  const line = DATA.line[picked];
  source(`the choice, ${lineOf(DATA.file[picked], line)}`, DATA.file[picked], line);
  const whyLine = DATA.whyLine[picked];
  if (DATA.state[picked] === "f" && whyLine) source(`it failed in ${lineOf(DATA.whyFile[picked], whyLine)}: ${text("why", picked)}`, DATA.whyFile[picked], whyLine);
  const [stopWords, stopFile, stopLine] = DATA.stop[picked] || [];
  if (stopLine) source(`it ${stopWords}, in ${lineOf(stopFile, stopLine)}`, stopFile, stopLine);
  const all = DATA.writes[picked].map(write => DATA.texts[write]).concat(changes.slice(0, MOST_CHANGES));
  const more = DATA.more[picked] + Math.max(0, changes.length - MOST_CHANGES);
  section("what changed", all.join("\n") + (more > 0 ? `\n... ${more} more` : ""));
  section("what was printed", text("text", picked));
  section("how it came there", wayTo(picked).slice(1).map(words).join("\n"));
}

function show(at) {
  picked = at;
  let changed = false;
  for (let above = parent[at]; above >= 0; above = parent[above]) {
    if (!open[above]) { open[above] = 1; changed = true; }
  }
  if (changed) list();
  if (!shown.includes(at)) {
    // It is within a chain, and not the first of it.
    let row = at;
    while (!chain[row]) row = parent[row];
    unchain(row);
    list();
  }
  const left = Math.min(indent[at], 60) * 16;
  if (left < tree.scrollLeft || left + 120 > tree.scrollLeft + tree.clientWidth) tree.scrollLeft = Math.max(0, left - 120);
  const top = shown.indexOf(at) * HEIGHT;
  if (top < tree.scrollTop) tree.scrollTop = top - HEIGHT;
  else if (top + 2 * HEIGHT > tree.scrollTop + tree.clientHeight) tree.scrollTop = top - tree.clientHeight + 2 * HEIGHT;
  draw();
  explain();
}

function toggle(at, value) {
  if (first[at] < 0) return;
  if (chain[at]) unchain(at);
  else open[at] = value === undefined ? 1 - open[at] : value;
  list();
  show(at);
}

// From the picked node on, round the tree.
function find(is) {
  for (let i = 1; i <= COUNT; i++) {
    const at = (picked + i) % COUNT;
    if (is(at)) return show(at);
  }
}

tree.addEventListener("scroll", draw);
window.addEventListener("resize", draw);
rows.addEventListener("click", event => {
  const row = event.target.closest(".row");
  if (!row) return;
  const at = Number(row.dataset.at);
  if (event.target.className === "mark" || chain[at]) toggle(at);
  else show(at);
  tree.focus();
});
rows.addEventListener("dblclick", event => {
  const row = event.target.closest(".row");
  if (row) toggle(Number(row.dataset.at));
});
tree.addEventListener("keydown", event => {
  const row = shown.indexOf(picked);
  const page = Math.max(1, Math.floor(tree.clientHeight / HEIGHT) - 1);
  const to = {
    ArrowDown: row + 1, ArrowUp: row - 1, PageDown: row + page, PageUp: row - page, Home: 0, End: shown.length - 1,
  }[event.key];
  if (to !== undefined) show(shown[Math.min(shown.length - 1, Math.max(0, to))]);
  else if (event.key === "ArrowRight") { if ((!open[picked] || chain[picked]) && first[picked] >= 0) toggle(picked, 1); else if (first[picked] >= 0) show(first[picked]); }
  else if (event.key === "ArrowLeft") { if (open[picked] && first[picked] >= 0 && !chain[picked]) toggle(picked, 0); else if (picked > 0) show(parent[picked]); }
  else if (event.key === "Enter" || event.key === " ") toggle(picked);
  else if (event.key === "/") document.getElementById("words").focus();
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", event => { if (event.key === "Escape") tree.focus(); });
document.getElementById("find").addEventListener("submit", event => {
  event.preventDefault();
  const wanted = document.getElementById("words").value.toLowerCase();
  if (!wanted) return;
  const has = DATA.texts.map(text => text.toLowerCase().includes(wanted));
  const isIt = at => has[DATA.label[at]] || has[DATA.why[at]] || has[DATA.text[at]] || DATA.writes[at].some(write => has[write])
    || words(at).toLowerCase().includes(wanted);
  find(isIt);
});
document.getElementById("deepest").addEventListener("click", () => {
  let best = -1;
  for (let at = 0; at < COUNT; at++) if (DATA.state[at] === "f" && (best < 0 || depth[at] > depth[best])) best = at;
  if (best >= 0) show(best);
  tree.focus();
});
document.getElementById("solution").addEventListener("click", () => { find(at => DATA.state[at] === "s"); tree.focus(); });
document.getElementById("unfold").addEventListener("click", () => { open.fill(1); unchained.fill(1); list(); show(picked); tree.focus(); });
document.getElementById("fold").addEventListener("click", () => {
  foldFailures();
  unchained.fill(0);
  list();
  const seen = new Set(shown);
  while (picked > 0 && !seen.has(picked)) picked = parent[picked];
  show(picked);
  tree.focus();
});
if (DATA.partings) {
  const legend = [["one", "< only in the first"], ["other", "> only in the second"]];
  document.querySelector("header h1").after(...legend.map(([name, words]) => element("span", name, words)));
  const button = document.getElementById("parting");
  button.hidden = DATA.partings.length === 0;
  button.addEventListener("click", () => find(at => partings.has(at)));
}
let solutions = 0;
for (let at = 0; at < COUNT; at++) if (DATA.state[at] === "s") solutions++;
document.getElementById("summary").textContent = [counted(COUNT, "node"), counted(failures[0], "failure"), counted(solutions, "solution")].join(", ");
if (LOOKS) {
  LOOKS.addEventListener("load", explain);
  LOOKS.src = DATA.looks.url;
}

// `tree.html#17` shows the node with that number.
function numbered() {
  const at = Number(location.hash.slice(1));
  return Number.isInteger(at) && at > 0 && at < COUNT ? at : 0;
}
window.addEventListener("hashchange", () => show(numbered()));
foldFailures();
list();
show(numbered());
// The keys go to the tree at once, unless the page is a part of another one.
if (window === window.top) tree.focus({ preventScroll: true });
