-- Value noise in four octaves on 256 x 256 points: floats, `sin` and `floor`.
local sin, floor = math.sin, math.floor
local function chance(x, y)
  local h = sin(x * 127.1 + y * 311.7) * 43758.5453
  return h - floor(h)
end
local function noise(x, y)
  local cx, cy = floor(x), floor(y)
  local dx, dy = x - cx, y - cy
  local u, v = dx * dx * (3 - 2 * dx), dy * dy * (3 - 2 * dy)
  local top = chance(cx, cy) * (1 - u) + chance(cx + 1, cy) * u
  local bottom = chance(cx, cy + 1) * (1 - u) + chance(cx + 1, cy + 1) * u
  return top * (1 - v) + bottom * v
end
local high = 0
for y = 0, 255 do
  for x = 0, 255 do
    local sum, scale, weight = 0, 1 / 32, 0.5
    for octave = 0, 3 do
      sum = sum + noise(x * scale, y * scale) * weight
      scale = scale * 2
      weight = weight / 2
    end
    if sum > 0.5 then high = high + 1 end
  end
end
print(high)
