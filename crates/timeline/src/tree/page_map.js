// The maps: each node tells what it has changed of the one above it.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT = new Int8Array(128);
for (let i = 0; i < 64; i++) DIGIT[DIGITS.charCodeAt(i)] = i;
const LARGEST_MAP = 560;
const LOOKS = DATA.looks ? new Image() : null;

function numbers(packed) {
  const found = [];
  let number = 0, scale = 1;
  for (let i = 0; i < packed.length; i++) {
    const digit = DIGIT[packed.charCodeAt(i)];
    number += (digit & 31) * scale;
    if (digit > 31) scale *= 32;
    else {
      found.push(number);
      number = 0;
      scale = 1;
    }
  }
  return found;
}

// What a node has changed: its size if that is another one, the cell that was written to first, and cells with contents.
// Of two runs, `run` is the second if it is 1.
function changeOf(at, run) {
  const packed = DATA.map ? (run && DATA.secondMap[at]) || DATA.map[at] : 0;
  if (packed === 0) return null;
  const [width, height, firstCell, ...rest] = numbers(packed);
  const cells = [];
  let cell = 0;
  for (let i = 0; i + 1 < rest.length; i += 2) {
    cell += rest[i];
    cells.push([cell, rest[i + 1]]);
    cell++;
  }
  return { size: width ? [width, height] : null, first: firstCell - 1, cells };
}

// The map at a node: or at the nearest one above it that has one.
function mapAt(at, run) {
  const map = { width: 0, height: 0, cells: [], before: [], changed: [], first: -1, at: -1 };
  for (const node of wayTo(at)) {
    const change = changeOf(node, run);
    if (!change) break;
    map.at = node;
    map.before = map.cells;
    if (change.size) {
      [map.width, map.height] = change.size;
      map.cells = new Array(map.width * map.height).fill(0);
      map.before = map.cells;
    }
    if (node === at && !change.size) map.before = map.cells.slice();
    for (const [cell, content] of change.cells) map.cells[cell] = content;
    map.changed = change.size ? [] : change.cells.map(([cell]) => cell);
    map.first = change.size ? -1 : change.first;
  }
  return map.width ? map : null;
}

function inWords(content) {
  const candidates = DATA.contents[content];
  if (candidates === 0) return "nothing";
  if (candidates.length === 0) return "nothing fits";
  return candidates.map(value => DATA.values[value]).join(", ");
}

const placeOf = (map, cell) => `${DATA.mapName}[${cell % map.width}, ${Math.floor(cell / map.width)}]`;

function drawValue(context, value, x, y, size) {
  if (LOOKS && LOOKS.complete && LOOKS.naturalWidth) {
    const { cell, across } = DATA.looks;
    context.imageSmoothingEnabled = size < cell;
    context.drawImage(LOOKS, (value % across) * cell, Math.floor(value / across) * cell, cell, cell, x, y, size, size);
    return;
  }
  context.fillStyle = "#f4f0e4";
  context.fillRect(x, y, size, size);
  if (size < 6) return;
  context.fillStyle = "#222226";
  context.font = `${Math.max(5, size * 0.6)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(DATA.values[value].slice(0, 3), x + size / 2, y + size / 2, size);
}

function drawMap(canvas, map) {
  const size = Math.max(4, Math.min(48, Math.floor(LARGEST_MAP / Math.max(map.width, map.height))));
  const side = Math.max(1, Math.ceil(Math.sqrt(DATA.values.length)));
  const sharp = Math.min(3, Math.ceil(window.devicePixelRatio || 1));
  const [width, height] = [map.width * size, map.height * size];
  [canvas.width, canvas.height] = [width * sharp, height * sharp];
  canvas.style.width = width + "px";
  const context = canvas.getContext("2d");
  context.scale(sharp, sharp);
  context.fillStyle = "#1a1b22";
  context.fillRect(0, 0, width, height);
  for (let cell = 0; cell < map.cells.length; cell++) {
    const [x, y] = [(cell % map.width) * size, Math.floor(cell / map.width) * size];
    const candidates = DATA.contents[map.cells[cell]];
    if (candidates === 0) {
      context.fillStyle = "#d6d5d0";
      context.fillRect(x, y, size, size);
    } else if (candidates.length === 1) drawValue(context, candidates[0], x, y, size);
    else if (candidates.length === 0) {
      context.strokeStyle = "#e5383b";
      context.lineWidth = Math.max(1, size / 8);
      context.beginPath();
      context.moveTo(x + 2, y + 2);
      context.lineTo(x + size - 2, y + size - 2);
      context.moveTo(x + size - 2, y + 2);
      context.lineTo(x + 2, y + size - 2);
      context.stroke();
    } else {
      // Every candidate has its own place in the cell.
      const spot = (size - 2) / side;
      for (const value of candidates) {
        drawValue(context, value, x + 1 + (value % side) * spot, y + 1 + Math.floor(value / side) * spot, Math.max(1, spot - 0.5));
      }
    }
    if (size >= 10) {
      context.strokeStyle = "#0004";
      context.lineWidth = 1;
      context.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
    }
  }
  const frame = (cell, color, wide) => {
    context.strokeStyle = color;
    context.lineWidth = wide;
    const [x, y] = [(cell % map.width) * size, Math.floor(cell / map.width) * size];
    context.strokeRect(x + wide / 2, y + wide / 2, size - wide, size - wide);
  };
  for (const cell of map.changed) frame(cell, "#409cff", Math.max(1, Math.round(size / 16)));
  if (map.first >= 0) frame(map.first, "#ffc400", Math.max(1.5, Math.round(size / 9)));
}
