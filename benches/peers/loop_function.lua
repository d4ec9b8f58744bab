local function run()
  local s = 0
  local i = 0
  while i < 10000000 do s = s + i * i % 7 i = i + 1 end
  return s
end
print(run())
