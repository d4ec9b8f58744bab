-- The first solution; marks say which columns and diagonals are taken.
local function first(n)
  local columns, used, up, down = {}, {}, {}, {}
  local function place(row)
    if row == n then return true end
    for column = 0, n - 1 do
      if not used[column] and not up[row + column] and not down[row - column + n] then
        used[column] = true up[row + column] = true down[row - column + n] = true
        columns[row + 1] = column
        if place(row + 1) then return true end
        used[column] = false up[row + column] = false down[row - column + n] = false
      end
    end
    return false
  end
  place(0)
  return columns
end
print(table.concat(first(20), " "))
