-- What a call costs through LuaJIT.
local ndscript = require "ndscript"

local file, times = io.open(arg[1]), tonumber(arg[2])
local engine = ndscript.engine()
engine:add_function("twice", function(n) return n * 2 end, 1, 1)
local run = engine:compile("calls.nds", file:read "*a"):run(1)
assert(run:resume() == "solved")

local function measure(name, work)
    local started = os.clock()
    work()
    print(("%s %.0f"):format(name, (os.clock() - started) * 1e9 / times))
end

measure("script", function() for _ = 1, times do assert(run:call("half", 14) == 7) end end)
measure("numbers", function() for _ = 1, times do assert(run:call_numbers("half", 14) == 7) end end)
measure("host", function() assert(run:call("askHost", times) == times * (times - 1)) end)
