local function primes(n)
  local composite = {}
  for i = 0, n do composite[#composite + 1] = false end
  local count = 0
  for i = 2, n do
    if not composite[i + 1] then
      count = count + 1
      for k = i * i, n, i do composite[k + 1] = true end
    end
  end
  return count
end
print(primes(2000000))
