-- All solutions; marks say which columns and diagonals are taken.
local function count(n)
  local used, up, down, found = {}, {}, {}, 0
  local function place(row)
    if row == n then found = found + 1 return end
    for column = 0, n - 1 do
      if not used[column] and not up[row + column] and not down[row - column + n] then
        used[column] = true up[row + column] = true down[row - column + n] = true
        place(row + 1)
        used[column] = false up[row + column] = false down[row - column + n] = false
      end
    end
  end
  place(0)
  return found
end
local total = 0
for i = 1, 20 do total = total + count(8) end
print(total)
