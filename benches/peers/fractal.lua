-- The Mandelbrot set on 300 x 300 points, at most 100 turns each: sums and products of floats.
local function turns(cx, cy)
  local x, y = 0.0, 0.0
  for n = 0, 99 do
    local xx, yy = x * x, y * y
    if xx + yy > 4 then return n end
    y = 2 * x * y + cy
    x = xx - yy + cx
  end
  return 100
end
local total = 0
for row = 0, 299 do
  for column = 0, 299 do
    total = total + turns(column / 300 * 3 - 2.2, row / 300 * 2.4 - 1.2)
  end
end
print(total)
