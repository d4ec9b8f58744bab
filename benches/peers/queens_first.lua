-- The first solution, each queen checked against the rows before.
local function first(n)
  local columns = {}
  local function place(row)
    if row > n then return true end
    for column = 1, n do
      for earlier = 1, row - 1 do
        local d = columns[earlier] - column
        if d == 0 or d == row - earlier or d == earlier - row then goto attacked end
      end
      columns[row] = column
      if place(row + 1) then return true end
      ::attacked::
    end
    return false
  end
  place(1)
  return columns
end
print(table.concat(first(20), " "))
