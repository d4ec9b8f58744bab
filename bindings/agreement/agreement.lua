-- Runs the programs of this folder in LuaJIT, and prints what every binding has to print.
local folder = arg[0]:match "^(.*)/[^/]*$"
package.path = folder .. "/../lua/?.lua;" .. package.path
local ndscript = require "ndscript"
local file = assert(io.open(arg[1], "rb"))
local all = file:read "*a"
file:close()
local engine = ndscript.engine()
local at = all:find("=== ", 1, true)
while at do
    local next_at = all:find("=== ", at + 4, true)
    local name, text = all:sub(at + 4, (next_at or #all + 1) - 1):match "^(%w+)\n(.*)$"
    at = next_at
    local program = engine:compile(name, text)
    for seed = 1, tonumber(arg[2]) do
        local run = program:run(seed)
        local outcome
        repeat outcome = run:resume(1000) until outcome ~= "outOfFuel"
        local steps, said, pictures = run:statistics().steps, "", 0
        if outcome == "solved" then
            local solution = run:solution()
            said, pictures = solution.text, solution.pictures
        elseif outcome == "error" then
            said = run:error().message
        end
        io.write(("%s %d %s %d %d %s\n"):format(name, seed, outcome, steps, pictures, (said:gsub("\n", "|"))))
    end
end
