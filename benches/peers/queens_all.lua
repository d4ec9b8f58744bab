-- All solutions, each queen checked against the rows before.
local function count(n)
  local columns, found = {}, 0
  local function place(row)
    if row > n then found = found + 1 return end
    for column = 1, n do
      for earlier = 1, row - 1 do
        local d = columns[earlier] - column
        if d == 0 or d == row - earlier or d == earlier - row then goto attacked end
      end
      columns[row] = column
      place(row + 1)
      ::attacked::
    end
  end
  place(1)
  return found
end
local total = 0
for i = 1, 20 do total = total + count(8) end
print(total)
