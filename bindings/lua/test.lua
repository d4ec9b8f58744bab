-- What the file promises, each part used once. NDSCRIPT_LIBRARY names the library.
local ndscript = require "ndscript"

local function same(a, b, where)
    if type(a) ~= type(b) or type(a) ~= "table" and a ~= b then
        error(("%s: found %s, expected %s"):format(where or "value", tostring(a), tostring(b)), 2)
    end
    if type(a) == "table" then
        for key, value in pairs(a) do same(value, b[key], (where or "") .. "." .. key) end
        for key in pairs(b) do assert(a[key] ~= nil, "no " .. tostring(key)) end
    end
end

local function refuses(part, f, ...)
    local done, problem = pcall(f, ...)
    assert(not done, "nothing was refused")
    assert(tostring(problem):find(part, 1, true), ("%q is not in: %s"):format(part, tostring(problem)))
    return problem
end

assert(ndscript.version():match "^%d")
local engine = ndscript.engine { steps = 1e9 }
engine:add_file("shared.nds", "var shared = 5;")
engine:add_function("twice", function(n) return n * 2 end, 1, 1)
engine:add_function("exits", function() return ndscript.choices { "left", ndscript.position(1, 2) } end)
engine:add_function("locked", function() error("the door is locked", 0) end)
engine:add_function("second", function(_, b) return b end)

-- Solutions, in order and repeatable.
local program = engine:compile("t.nds", "import 'shared.nds'; print(twice(param('n', 1) + shared), exits());")
same(program:parameters(), { "n" })
local texts = {}
for solution in program:run(3, { n = 10 }):solutions() do texts[#texts + 1] = solution.text end
same(texts, { "30left", "30(1,2)" })

-- Values there and back.
local run = engine:compile("t.nds", "var it; return it;"):run(1)
local value = { s = ndscript.set { 1, 2 }, p = ndscript.position(3, 4), n = ndscript.null, f = 1.25, i = 2 ^ 53 - 1,
    e = ndscript.array(), o = {}, t = 'a "b"\n\1\\', g = ndscript.grid(2, 1, { "x", true }), u = "ü€" }
run:set_global("it", value)
same(run:resume(), "solved")
same(run:solution().value, value)
refuses("function", run.set_global, run, "it", print)
refuses("nested", function() local t = {} t[1] = t run:set_global("it", t) end)
refuses("ti", run.set_global, run, "ti", 1)
same(engine:compile("t.nds", "print(second(null, 7));"):run(1):solutions()().text, "7")

-- Mistakes carry their place.
local problem = refuses("t.nds:2", engine.compile, engine, "t.nds", "var x = 1;\nvar y = ;")
same(problem.diagnostics[1].place.line, 2)
problem = refuses("the door is locked", function() engine:compile("t.nds", "\nlocked();"):run(1):solutions()() end)
same(problem.place.line, 2)
run = engine:compile("t.nds", "function f() { while (true) {} }\nf();"):run(1)
same(run:resume(1000), "outOfFuel")
same(run:calls()[1]["function"], "f")
same(#run:calls(1), 1)
same(engine:complete("chooseEl", 8).words[1].word, "chooseElement")
assert(#engine:functions() > 100)
refuses('no parameter "m"', program.run, program, 1, { m = 1 })
refuses("no limit", ndscript.engine, { stpes = 1 })

-- Hostile errors, texts and handles.
engine:add_function("unshown", function() error(setmetatable({}, { __tostring = function() error "again" end })) end)
engine:add_function("notText", function() error(setmetatable({}, { __tostring = function() return 1 end })) end)
engine:add_function("badWords", function() error("\255", 0) end)
engine:add_function("badValue", function() return "\255" end)
engine:add_function("yields", function() return coroutine.yield() end)
for name, words in pairs { unshown = "cannot be shown", notText = "cannot be shown", badWords = "UTF-8", badValue = "UTF-8", yields = "yield" } do
    refuses(words, function() engine:compile("t.nds", name .. "(); print('through');"):run(1):solutions()() end)
end
refuses("zero byte", engine.compile, engine, "t.nds", "print(1);\0 fail;")
refuses("zero byte", engine.add_function, engine, "a\0b", print)
refuses("UTF-8", engine.compile, engine, "t.nds", "\255")
refuses("a text is wanted", engine.compile, engine, "t.nds", nil)
refuses("cannot convert", ndscript.engine().compile, program, "t.nds", "print(1);")
refuses("cannot convert", engine:compile("t.nds", "print(1);"):run(1).resume, program)

-- What is not there is nil; what fails is an error.
run = engine:compile("t.nds", "var no = null, off = false; fail 'a\\u{0}b';"):run(1)
same({ run:question(), run:error(), run:failure_message() }, {})
refuses("no variable `yes`", run.global, run, "yes")
same(run:resume(), "failed")
same(run:failure_message(), "a\239\191\189b")
run = engine:compile("t.nds", "var no = null; return false;"):run(1)
same(run:resume(), "solved")
same(run:global("no"), nil)
same(run:solution().value, false)
local busy
local methods = { "global", "globals", "statistics", "error", "question", "calls", "failure_message", "solution", "picture", "free" }
engine:add_function("each", function(method) return busy[method](busy, method ~= "calls" and "x" or 5) end, 1, 1)
for _, method in ipairs(methods) do
    busy = engine:compile("t.nds", "var x = 1; each(param('method', ''));"):run(1, { method = method })
    refuses("busy", busy:solutions())
end
refuses("UTF-8", engine.check, engine, "t.nds", "\255")

-- Values that would lose something, and numbers that would be cut, are errors.
run = engine:compile("t.nds", "var it; function same(x) { return x; } print(ask('?', ['a', 'b', 'c']));"):run(1)
refuses("holes", run.set_global, run, "it", { 1, nil, 3 })
refuses("holes", run.set_global, run, "it", { [2] = 1 })
refuses("elements and fields (x)", run.set_global, run, "it", { 1, 2, x = 3 })
refuses("choices", run.set_global, run, "it", { ndscript.choices { 1 } })
refuses("not 1.5", run.set_global, run, "it", { [1.5] = 1 })
refuses("not true", run.set_global, run, "it", { [true] = 1 })
refuses("holes", run.set_global, run, "it", ndscript.set { 1, nil, 3 })
refuses("whole number", run.resume, run, -1)
refuses("whole number", run.resume, run, 0 / 0)
refuses("whole number", program.run, program, 1.5)
refuses("whole number", ndscript.engine, { steps = 2 ^ 64 })
refuses("whole number", ndscript.engine, { steps = "x" })
ndscript.engine { steps = 2 ^ 63 }
same(run:resume(), "asked")
refuses("no such answer: 2.7", run.answer, run, 2.7)
run:answer(3)
same(run:resume(), "solved")
same(run:solution().text, "c")
for _, large in ipairs { 2 ^ 53, 2 ^ 53 + 2, -2 ^ 60, 2 ^ 100, 1e300 } do same(run:call("same", large), large) end

-- What comes out goes in again, however deep, and with its priorities.
run = engine:compile("t.nds", [[
    function deep(n) { let v = 1; for (let i = 0; i < n; i++) v = setOf(v); return v; }
    function same(x) { return x; }
    function waiting() { let q = priorityQueue(); enqueue('late', q, 5); enqueue('soon', q, 1.5); return q; }
    function taken(q) { enqueue('between', q, 2); dequeue(q); return dequeue(q); }]]):run(1)
same(run:resume(), "solved")
same(run:call("same", run:call("deep", 128)), run:call("deep", 128))
same(run:call("taken", run:call("waiting")), "between")

-- Tables of the user stay as they are.
local Vector = {}
local mine = setmetatable({ "a", "b" }, Vector)
for _, make in pairs { ndscript.set, ndscript.array, ndscript.choices, function(list) return ndscript.grid(1, 2, list) end } do
    make(mine)
    same(getmetatable(mine), Vector)
end
same(ndscript.array(setmetatable({ 1 }, { __metatable = "locked" })), { 1 })

-- Nulls at the end are arguments; a zero byte does not end the words of an error.
engine:add_function("count", function(...) return select("#", ...) end)
same(engine:compile("t.nds", "print(count(1, null), count(null), count(null, 2), count());"):run(1):solutions()().text, "2120")
engine:add_function("zero", function() error("a\0b", 0) end)
refuses("a\239\191\189b", engine:compile("t.nds", "zero();"):run(1):solutions())

-- Handles are freed at once, and once.
for _, handle in ipairs { ndscript.engine(), program, program:run(1) } do
    handle:free()
    handle:free()
end
refuses("NULL", program.run, program, 1)
program = engine:compile("t.nds", "print(1);")
for at = 1, 2000 do engine:add_function("again" .. at % 3, print) end

-- A function that another has replaced lives on with the programs and runs that know it, and no longer.
local function added(words)
    local function callback() return words end
    engine:add_function("words", callback)
    return setmetatable({ callback }, { __mode = "v" })
end
local old = added("old")
local knows = engine:compile("t.nds", "print(words(), choose(words(), words()));")
local new = added("new")
collectgarbage()
collectgarbage()
same(knows:run(1):solutions()().text, "oldold")
same(engine:compile("t.nds", "print(words());"):run(1):solutions()().text, "new")
local lasting = knows:run(1)
lasting = engine:restore(knows, lasting:clone():save()):clone()
knows = nil
collectgarbage()
collectgarbage()
same(lasting:solutions()().text, "oldold")
lasting = nil
collectgarbage()
collectgarbage()
same(old[1], nil)
same(new[1] ~= nil, true)

-- Names and paths that no program can write; keys of saved runs.
refuses("if", engine.add_function, engine, "if", print)
refuses("..", engine.add_file, engine, "../x.nds", "")
refuses("a text", engine.add_file, engine, "x.nds", nil)
local sealed, key = ndscript.engine():save_key(("k"):rep(32)), "short"
local sealed_program = sealed:compile("t.nds", "print(1);")
local sealed_run = sealed_program:run(1):save()
sealed:restore(sealed_program, sealed_run)
refuses("key", engine.restore, engine, sealed_program, sealed_run)
refuses("32 bytes", sealed.save_key, sealed, key)
refuses("a program is wanted", engine.restore, engine, nil, sealed_run)
local itself
engine:add_function("again", function() return itself:resume() end)
itself = engine:compile("t.nds", "again();"):run(1)
refuses("busy", itself:solutions())

-- Alternatives one by one: asked for when the search goes back, by a clone for itself, until there are no more.
local numbers = {}
engine:add_alternatives("multiple", function(number, of) numbers[#numbers + 1] = number return number * of end, 1, 1)
engine:add_alternatives("letters", function(number) return ({ "a", ndscript.null, { 1 } })[number] end)
engine:add_alternatives("spoiled", function(number, how)
    if number == 1 then return 1 end
    if how == "list" then return ndscript.choices { 1, 2 } end
    error("the well is dry", 0)
end)
run = engine:compile("t.nds", "let x = multiple(3); require(x > 7); return x;"):run(1)
same(run:resume(), "solved")
same(run:solution().value, 9)
same(numbers, { 1, 2, 3 })
local other = run:clone()
same(run:resume(), "solved")
same(other:resume(), "solved")
same({ run:solution().value, other:solution().value }, { 12, 12 })
same(numbers, { 1, 2, 3, 4, 4 })
same(engine:compile("t.nds", "print(solutions(() => letters()));"):run(1):solutions()().text, '["a", null, [1]]')
problem = refuses("the well is dry", engine:compile("t.nds", "\nrequire(spoiled('error') > 1);"):run(1):solutions())
same(problem.place.line, 2)
refuses("one alternative at a time", engine:compile("t.nds", "require(spoiled('list') > 1);"):run(1):solutions())

-- Fuel, clones, calls, questions, saves.
program = engine:compile("t.nds", [[
    var health = 10; function hit(n) { require(n < 100); health -= n; return health; }
    print(input('Name?')); choose first health += 0; or health = 50;]])
run = program:run(1)
same(engine:compile("t.nds", "while (true) {}"):run(1):resume(100), "outOfFuel")
same(run:resume(), "asked")
same(run:question().prompt, "Name?")
refuses("no such answer", run.answer, run, 1)
run:answer("Ada")
same(run:resume(), "solved")
local clone, saved = run:clone(), run:save()
same(run:call("hit", 3), 7)
same(run:call("hit", 100), nil)
same(run:call_numbers("hit", 0), 7)
same(run:call_numbers("hit", 100), nil)
refuses("hti", function() run:call_numbers("hti", 1) end)
refuses("convert", function() run:call_numbers("hit", "x") end)
refuses("", run.call, run, "hit", "x")
same(run:global("health"), 7)
same(run:globals(), { health = 7 })
same(clone:global("health"), 10)
run = engine:restore(program, saved)
same(run:resume(), "solved")
same(run:global("health"), 50)
same(run:resume(), "failed")
run = engine:compile("t.nds", "while (true) {}"):run(1)
run:cancel()
same(run:resume(), "limit")
same(run:error().limit, "cancelled")
run:uncancel()
same(run:resume(100), "outOfFuel")
run = ndscript.engine({ steps = 10000 }):compile("t.nds", "var n = 0; function count() { n = 1; while (true) {} }"):run(1)
same(run:resume(), "solved")
refuses("10000 steps", run.call, run, "count")
same(run:global("n"), 0)

-- Pictures and grids.
run = engine:compile("t.nds", "var g = grid([['a', 'b'], ['b', 1]]); printTilemap(makeGrid(3, 2, 'red'));"):run(1)
same(run:resume(), "solved")
local png = run:png(1, 4)
same(png:sub(2, 4), "PNG")
same({ png:byte(20), png:byte(24) }, { 12, 8 })
refuses("no picture 2: the last one is 1", run.png, run, 2)
run:call("sizeOf", ndscript.array { 1 }) -- a call that prints no picture leaves those of the solution
same(run:png(1, 4), png)
local words, offset = run:picture(1)
assert(words:find("3 columns", 1, true) and offset == 1)
refuses("no picture 2", run.picture, run, 2)
refuses("no picture 0", run.picture, run, 0)
refuses("no picture 1.5", run.png, run, 1.5)
local grid = run:grid("g", { "a", "b" })
same({ grid.width, grid.height }, { 2, 2 })
local cells = {}
for at = 0, 3 do cells[at + 1] = tonumber(grid.cells[at]) end
same(cells, { 0, 1, 1, -1 })

-- Callbacks from a hot loop.
local sum = 0
engine:add_function("count", function(n) sum = sum + n return sum end)
same(engine:compile("t.nds", "var x = 0; for (let i = 0; i < 2000; i++) x = count(1); return x;"):run(1):solutions()().value, 2000)

collectgarbage()
print "all of the Lua test passed"
