"use strict";
const [KIND, SPOT, WORDS, COUNTS, RETURNED, CHANGES] = Array(6).keys();
const find = id => document.getElementById(id);
const board = find("board");
const pen = board.getContext("2d");
board.width = WIDTH * CELL;
board.height = HEIGHT * CELL;
const cells = new Uint32Array(WIDTH * HEIGHT);
// The cells every so many frames, to go back from.
const EVERY = 32;
const kept = [];
FRAMES.forEach((frame, at) => {
  for (let i = 0; i < frame[CHANGES].length; i += 2) cells[frame[CHANGES][i]] = frame[CHANGES][i + 1];
  if (at % EVERY === 0) kept.push(cells.slice());
});
const sheet = new Image();
let shown = -1;
let timer = 0;

function drawCell(at) {
  const look = cells[at];
  pen.drawImage(sheet, look % ACROSS * CELL, Math.floor(look / ACROSS) * CELL, CELL, CELL,
    at % WIDTH * CELL, Math.floor(at / WIDTH) * CELL, CELL, CELL);
}

function drawMark(at, color) {
  const width = Math.min(3, Math.max(1, Math.floor(CELL / 12)));
  pen.strokeStyle = color;
  pen.lineWidth = width;
  pen.strokeRect(at % WIDTH * CELL + width / 2, Math.floor(at / WIDTH) * CELL + width / 2, CELL - width, CELL - width);
}

function show(to) {
  to = Math.max(0, Math.min(FRAMES.length - 1, to));
  let touched = new Set();
  if (shown >= 0 && to === shown + 1) {
    // What was marked is drawn anew.
    touched = new Set(FRAMES[shown][RETURNED]);
    if (FRAMES[shown][SPOT] >= 0) touched.add(FRAMES[shown][SPOT]);
    const changes = FRAMES[to][CHANGES];
    for (let i = 0; i < changes.length; i += 2) { cells[changes[i]] = changes[i + 1]; touched.add(changes[i]); }
  } else {
    const from = Math.floor(to / EVERY);
    cells.set(kept[from]);
    for (let at = from * EVERY + 1; at <= to; at++) {
      const changes = FRAMES[at][CHANGES];
      for (let i = 0; i < changes.length; i += 2) cells[changes[i]] = changes[i + 1];
    }
    for (let at = 0; at < cells.length; at++) touched.add(at);
  }
  touched.forEach(drawCell);
  const frame = FRAMES[to];
  frame[RETURNED].forEach(at => drawMark(at, "#409cff"));
  if (frame[SPOT] >= 0) drawMark(frame[SPOT], frame[KIND] === 1 ? "#e5383b" : "#ffc400");
  board.className = ["", "failure", "solution"][frame[KIND]];
  find("words").textContent = frame[WORDS];
  find("counts").textContent = `${frame[COUNTS]}  (${to + 1} of ${FRAMES.length})`;
  find("at").value = to;
  shown = to;
}

function stop() {
  clearTimeout(timer);
  timer = 0;
  find("play").textContent = "play";
}

function play() {
  if (timer) return stop();
  if (shown === FRAMES.length - 1) show(0);
  find("play").textContent = "stop";
  const next = () => {
    show(shown + 1);
    if (shown === FRAMES.length - 1) return stop();
    const slow = FRAMES[shown][KIND] === 1 ? 3 : 1;
    timer = setTimeout(next, slow * TIME / 2 ** Number(find("speed").value));
  };
  timer = setTimeout(next, 0);
}

function seek(step) {
  for (let at = shown + step; at >= 0 && at < FRAMES.length; at += step) {
    if (FRAMES[at][KIND] === 1) { stop(); return show(at); }
  }
}

find("play").addEventListener("click", play);
find("back").addEventListener("click", () => { stop(); show(shown - 1); });
find("on").addEventListener("click", () => { stop(); show(shown + 1); });
find("failure").addEventListener("click", () => seek(1));
find("at").max = FRAMES.length - 1;
find("at").addEventListener("input", event => { stop(); show(Number(event.target.value)); });
document.addEventListener("keydown", event => {
  if (event.target.tagName === "INPUT" && event.key !== " " && event.key !== "f") return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, PageUp: shown - 20, PageDown: shown + 20, Home: 0, End: FRAMES.length - 1 }[event.key];
  if (to !== undefined) { stop(); show(to); }
  else if (event.key === " ") { if (event.target.tagName === "BUTTON") return; play(); }
  else if (event.key === "f") seek(1);
  else if (event.key === "F") seek(-1);
  else return;
  event.preventDefault();
});
board.addEventListener("mousemove", event => {
  const box = board.getBoundingClientRect();
  const x = Math.floor((event.clientX - box.left - 4) / (box.width - 8) * WIDTH);
  const y = Math.floor((event.clientY - box.top - 4) / (box.height - 8) * HEIGHT);
  const isInside = x >= 0 && y >= 0 && x < WIDTH && y < HEIGHT;
  find("under").textContent = isInside ? `(${x}, ${y}): ${LOOKS[cells[y * WIDTH + x]] || "no candidate is left"}` : "";
});
sheet.addEventListener("load", () => show(0));
sheet.src = SHEET;
