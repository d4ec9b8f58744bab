-- The same with the parts in a table, as one does it in Lua.
local parts = {}
for i = 1, 1000000 do parts[#parts + 1] = "ab" end
print(#table.concat(parts))
