"use strict";
// Each node: parent, alternative, of, state, line, label, why, line of why, writes, all writes, text, step, failures that
// were folded while the tree was made.
const [PARENT, ALTERNATIVE, OF, STATE, LINE, LABEL, WHY, WHY_LINE, WRITES, ALL_WRITES, TEXT, STEP, FOLDED] = Array(13).keys();
const HEIGHT = 22;
const children = NODES.map(() => []);
const depth = new Int32Array(NODES.length);
const failures = new Float64Array(NODES.length);
const solved = new Uint8Array(NODES.length);
const dead = new Uint8Array(NODES.length);
const open = new Uint8Array(NODES.length);
NODES.forEach((node, at) => {
  if (node[PARENT] >= 0) { children[node[PARENT]].push(at); depth[at] = depth[node[PARENT]] + 1; }
});
for (let at = NODES.length - 1; at >= 0; at--) {
  const node = NODES[at];
  failures[at] += node[FOLDED] + (node[STATE] === "failed" ? 1 : 0);
  if (node[STATE] === "solution") solved[at] = 1;
  dead[at] = (node[STATE] === "failed" || node[STATE] === "inner") && children[at].every(child => dead[child]) ? 1 : 0;
  if (node[PARENT] >= 0) { failures[node[PARENT]] += failures[at]; solved[node[PARENT]] |= solved[at]; }
}
const tree = document.getElementById("tree");
const rows = document.getElementById("rows");
const details = document.getElementById("details");
let shown = [];
let picked = 0;

function foldFailures() { for (let at = 0; at < NODES.length; at++) open[at] = !dead[at] || at === 0 ? 1 : 0; }

// The nodes that are to be seen, in order.
function list() {
  shown = [];
  const todo = [0];
  while (todo.length) {
    const at = todo.pop();
    shown.push(at);
    if (open[at]) for (let i = children[at].length - 1; i >= 0; i--) todo.push(children[at][i]);
  }
  rows.style.height = shown.length * HEIGHT + "px";
}

function kind(at) { return solved[at] ? "good" : dead[at] ? "bad" : "rest"; }

function words(at) {
  const node = NODES[at];
  if (at === 0) return "start";
  return `${node[ALTERNATIVE] + 1} of ${node[OF]}` + (node[LABEL] ? `: ${node[LABEL].replace(/\s+/g, " ")}` : "");
}

function outcome(at) {
  const node = NODES[at];
  if (node[STATE] === "solution") return "solution";
  if (node[STATE] === "failed") return node[WHY] ? `failed: ${node[WHY]}` : "failed";
  if (node[STATE] === "open") return "open";
  if (!open[at] || node[FOLDED]) return failures[at] ? `${failures[at]} failures` : "";
  return "";
}

// Only the rows in sight are there.
function draw() {
  const first = Math.max(0, Math.floor(tree.scrollTop / HEIGHT) - 20);
  const last = Math.min(shown.length, Math.ceil((tree.scrollTop + tree.clientHeight) / HEIGHT) + 20);
  const fragment = document.createDocumentFragment();
  for (let i = first; i < last; i++) {
    const at = shown[i];
    const row = document.createElement("div");
    row.className = "row" + (at === picked ? " picked" : "");
    row.style.top = i * HEIGHT + "px";
    row.style.paddingLeft = Math.min(depth[at], 60) * 16 + 6 + "px";
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", depth[at] + 1);
    if (at === picked) row.setAttribute("aria-selected", "true");
    if (children[at].length) row.setAttribute("aria-expanded", open[at] ? "true" : "false");
    row.dataset.at = at;
    const mark = document.createElement("span");
    mark.className = "mark";
    mark.textContent = children[at].length ? (open[at] ? "▾" : "▸") : "·";
    const name = document.createElement("span");
    name.className = kind(at);
    name.textContent = words(at);
    const end = document.createElement("span");
    end.className = "rest";
    const said = outcome(at);
    end.textContent = said ? "  — " + said : "";
    row.append(mark, name, end);
    fragment.append(row);
  }
  rows.replaceChildren(fragment);
}

function section(title, text, mark) {
  if (!text) return;
  const head = document.createElement("h2");
  head.textContent = title;
  const body = document.createElement("pre");
  if (mark === undefined) body.textContent = text;
  else text.forEach(([number, line]) => {
    const span = document.createElement("span");
    span.className = number === mark ? "here" : "";
    span.textContent = String(number).padStart(4) + "  " + line + "\n";
    body.append(span);
  });
  details.append(head, body);
}

function around(line) {
  const found = [];
  for (let n = Math.max(1, line - 3); n <= Math.min(LINES.length, line + 3); n++) found.push([n, LINES[n - 1]]);
  return found;
}

function explain() {
  const node = NODES[picked];
  details.replaceChildren();
  const title = document.createElement("h2");
  title.className = kind(picked);
  title.textContent = words(picked) + (outcome(picked) ? " — " + outcome(picked) : "");
  const place = document.createElement("p");
  place.className = "rest";
  place.textContent = `depth ${depth[picked]}, step ${node[STEP]}` + (failures[picked] ? `, ${failures[picked]} failures` : "");
  details.append(title, place);
  if (node[LINE] > 0) section(`the choice, line ${node[LINE]}`, around(node[LINE]), node[LINE]);
  if (node[STATE] === "failed" && node[WHY_LINE] > 0) section(`it failed on line ${node[WHY_LINE]}: ${node[WHY]}`, around(node[WHY_LINE]), node[WHY_LINE]);
  const more = node[ALL_WRITES] - node[WRITES].length;
  section("what changed", node[WRITES].join("\n") + (more > 0 ? `\n... ${more} more` : ""));
  section("what was printed", node[TEXT]);
  const path = [];
  for (let at = picked; at > 0; at = NODES[at][PARENT]) path.push(words(at));
  section("how it came there", path.reverse().join("\n"));
}

function show(at) {
  picked = at;
  let changed = false;
  for (let above = NODES[at][PARENT]; above >= 0; above = NODES[above][PARENT]) {
    if (!open[above]) { open[above] = 1; changed = true; }
  }
  if (changed) list();
  const row = shown.indexOf(at);
  const top = row * HEIGHT;
  if (top < tree.scrollTop) tree.scrollTop = top - HEIGHT;
  else if (top + 2 * HEIGHT > tree.scrollTop + tree.clientHeight) tree.scrollTop = top - tree.clientHeight + 2 * HEIGHT;
  draw();
  explain();
}

function toggle(at, value) {
  if (!children[at].length) return;
  open[at] = value === undefined ? 1 - open[at] : value;
  list();
  show(at);
}

tree.addEventListener("scroll", draw);
window.addEventListener("resize", draw);
rows.addEventListener("click", event => {
  const row = event.target.closest(".row");
  if (!row) return;
  const at = Number(row.dataset.at);
  if (event.target.className === "mark") toggle(at);
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
  else if (event.key === "ArrowRight") { if (!open[picked] && children[picked].length) toggle(picked, 1); else if (children[picked].length) show(children[picked][0]); }
  else if (event.key === "ArrowLeft") { if (open[picked] && children[picked].length) toggle(picked, 0); else if (picked > 0) show(NODES[picked][PARENT]); }
  else if (event.key === "Enter" || event.key === " ") toggle(picked);
  else if (event.key === "/") document.getElementById("words").focus();
  else return;
  event.preventDefault();
});
document.getElementById("find").addEventListener("submit", event => {
  event.preventDefault();
  const wanted = document.getElementById("words").value.toLowerCase();
  if (!wanted) return;
  for (let i = 1; i <= NODES.length; i++) {
    const at = (picked + i) % NODES.length;
    const node = NODES[at];
    if ((words(at) + "\n" + node[WHY] + "\n" + node[WRITES].join("\n") + "\n" + node[TEXT]).toLowerCase().includes(wanted)) return show(at);
  }
});
document.getElementById("deepest").addEventListener("click", () => {
  let best = -1;
  NODES.forEach((node, at) => { if (node[STATE] === "failed" && (best < 0 || depth[at] > depth[best])) best = at; });
  if (best >= 0) show(best);
});
document.getElementById("solution").addEventListener("click", () => {
  for (let i = 1; i <= NODES.length; i++) {
    const at = (picked + i) % NODES.length;
    if (NODES[at][STATE] === "solution") return show(at);
  }
});
document.getElementById("unfold").addEventListener("click", () => { open.fill(1); list(); show(picked); });
document.getElementById("fold").addEventListener("click", () => {
  foldFailures();
  list();
  while (picked > 0 && !shown.includes(picked)) picked = NODES[picked][PARENT];
  show(picked);
});
const solutions = NODES.filter(node => node[STATE] === "solution").length;
document.getElementById("summary").textContent = `${NODES.length} nodes, ${failures[0]} failures, ${solutions} solution${solutions === 1 ? "" : "s"}`;
foldFailures();
list();
show(0);
