-- The "Arto Inkala" sudoku on bit masks: propagation by recursion, the smallest set first, undone by a trail.
local times = tonumber(arg[1] or "1")
local puzzle = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
local size, digit = {}, {}
for set = 0, 511 do
  local n = 0
  for d = 0, 8 do if set >> d & 1 == 1 then n = n + 1 digit[set] = d + 1 end end
  size[set] = n
end
local peers = {}
for p = 0, 80 do
  local others, x, y = {}, p % 9, p // 9
  for q = 0, 80 do
    local u, v = q % 9, q // 9
    if p ~= q and (x == u or y == v or (x // 3 == u // 3 and y // 3 == v // 3)) then others[#others + 1] = q end
  end
  peers[p] = others
end
local g, places, olds, top = {}, {}, {}, 0

-- Leaves these digits in a cell; one that this decides loses its digit in all its peers. False if one has none left.
local function narrow(p, left)
  if left == 0 then return false end
  top = top + 1
  places[top], olds[top] = p, g[p]
  g[p] = left
  if size[left] == 1 then
    local others = peers[p]
    for i = 1, 20 do
      local q = others[i]
      local old = g[q]
      local rest = old & ~left
      if rest ~= old and not narrow(q, rest) then return false end
    end
  end
  return true
end

local function undo(mark)
  for i = top, mark + 1, -1 do g[places[i]] = olds[i] end
  top = mark
end

local function search()
  local best, least = nil, 10
  for p = 0, 80 do
    local n = size[g[p]]
    if n > 1 and n < least then
      best, least = p, n
      if n == 2 then break end
    end
  end
  if not best then return true end
  local set, mark = g[best], top
  for d = 0, 8 do
    local bit = 1 << d
    if set & bit ~= 0 then
      if narrow(best, bit) and search() then return true end
      undo(mark)
    end
  end
  return false
end

local function solve()
  for p = 0, 80 do g[p] = 511 end
  top = 0
  for p = 0, 80 do
    local c = puzzle:sub(p + 1, p + 1)
    if c ~= "." then narrow(p, g[p] & 1 << (tonumber(c) - 1)) end
  end
  return search()
end
for i = 1, times do solve() end
local out = {}
for p = 0, 80 do out[#out + 1] = digit[g[p]] end
print(table.concat(out))
