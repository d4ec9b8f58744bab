-- The map of sand, grass and water on bit masks: a random undecided cell, a random tile of it, propagation by
-- recursion. Undecided cells are kept in an array with their places, so that picking one costs the same at any size.
local n = tonumber(arg[1])
local random = math.random
math.randomseed(7)
local SAND, GRASS, WATER = 1, 2, 4
local image, bits = {}, {}
for set = 0, 7 do
  local i, b = 0, {}
  if set & SAND ~= 0 then i = i | 7 b[#b + 1] = SAND end
  if set & GRASS ~= 0 then i = i | SAND | GRASS b[#b + 1] = GRASS end
  if set & WATER ~= 0 then i = i | SAND | WATER b[#b + 1] = WATER end
  image[set] = i
  bits[set] = b
end
local cells, open, place = {}, {}, {}
for c = 1, n * n do cells[c] = 7 open[c] = c place[c] = c end
local function close(c)
  local p, last = place[c], open[#open]
  open[p] = last place[last] = p open[#open] = nil
end
local function narrow(c, restriction)
  local old = cells[c]
  local new = old & restriction
  if old == new then return end
  cells[c] = new
  if #bits[new] == 1 and #bits[old] > 1 then close(c) end
  local i = image[new]
  local x = (c - 1) % n
  if x > 0 then narrow(c - 1, i) end
  if x < n - 1 then narrow(c + 1, i) end
  if c > n then narrow(c - n, i) end
  if c <= n * n - n then narrow(c + n, i) end
end
while #open > 0 do
  local c = open[random(#open)]
  local b = bits[cells[c]]
  narrow(c, b[random(#b)])
end
local sum = 0
for c = 1, n * n do sum = sum + cells[c] end
print(sum > 0)
