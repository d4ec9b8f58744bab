-- What a game asks of a script: who is hurt how much by a blast.
local function distanceTo(a, b)
  local dx = a.x - b.x
  local dy = a.y - b.y
  return math.sqrt(dx * dx + dy * dy)
end
local function damage(unit, blast)
  local far = distanceTo(unit, blast)
  if far > blast.radius then return 0 end
  return math.floor(blast.power * (1 - far / blast.radius)) - unit.armor
end
local units = {}
for i = 0, 9 do units[#units + 1] = {name = "unit " .. i, x = i * 2, y = i % 3, armor = i % 4, health = 20} end
local blast = {x = 7, y = 1, radius = 8, power = 30}
local report = ""
for _, unit in ipairs(units) do
  unit.health = unit.health - math.max(0, damage(unit, blast))
  if unit.health <= 0 then report = report .. unit.name .. " is gone; " end
end
return report .. "\n"
