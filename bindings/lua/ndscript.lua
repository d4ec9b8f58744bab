--- NDScript for LuaJIT: this file, and the library of bindings/c beside the program or on the library path.
--
--     local ndscript = require "ndscript"
--     local run = ndscript.engine():compile("hello.nds", "print('Hello ', choose('you', 'world'));"):run(7)
--     for solution in run:solutions() do print(solution.text) end
--
-- What fails raises an error: a text, or for mistakes of a script a table with `message`, `place` (file, line, column),
-- `hints` and `rendered`.

local ffi = require "ffi"

ffi.cdef [[
typedef struct NdsEngine NdsEngine;
typedef struct NdsProgram NdsProgram;
typedef struct NdsRun NdsRun;
typedef struct NdsCall NdsCall;
typedef void (*NdsFunction)(void *user_data, const NdsCall *call, const char *arguments);
typedef void (*NdsAlternative)(void *user_data, const NdsCall *call, const char *arguments, uint64_t number);
const char *nds_last_error(void);
const char *nds_version(void);
void nds_free(void *given);
NdsEngine *nds_engine_new(void);
void nds_engine_free(NdsEngine *engine);
bool nds_engine_set_limit(const NdsEngine *engine, const char *name, uint64_t limit);
bool nds_engine_set_save_key(const NdsEngine *engine, const uint8_t *key, size_t length);
bool nds_engine_add_file(const NdsEngine *engine, const char *path, const uint8_t *content, size_t length);
bool nds_engine_add_function(const NdsEngine *engine, const char *name, uint32_t least, int32_t most,
    NdsFunction function, void *user_data, void (*free_user_data)(void *));
bool nds_engine_add_alternatives(const NdsEngine *engine, const char *name, uint32_t least, int32_t most,
    NdsAlternative function, void *user_data, void (*free_user_data)(void *));
NdsProgram *nds_engine_compile(const NdsEngine *engine, const char *name, const char *program, char **diagnostics);
char *nds_engine_complete(const NdsEngine *engine, const char *program, size_t cursor);
char *nds_engine_functions(const NdsEngine *engine);
char *nds_engine_check(const NdsEngine *engine, const char *name, const char *program);
NdsRun *nds_engine_restore(const NdsEngine *engine, const NdsProgram *program, const uint8_t *saved, size_t length);
void nds_program_free(NdsProgram *program);
char *nds_program_parameters(const NdsProgram *program);
NdsRun *nds_program_run(const NdsProgram *program, uint64_t seed, const char *parameters);
bool nds_run_cancel(const NdsRun *run);
bool nds_run_uncancel(const NdsRun *run);
void nds_run_free(NdsRun *run);
int nds_run_resume(const NdsRun *run, uint64_t fuel);
NdsRun *nds_run_clone(const NdsRun *run);
char *nds_run_value(const NdsRun *run, bool lossless);
char *nds_run_text(const NdsRun *run, size_t *length);
char *nds_run_question(const NdsRun *run);
bool nds_run_answer(const NdsRun *run, size_t option);
bool nds_run_answer_text(const NdsRun *run, const char *line);
char *nds_run_error(const NdsRun *run);
char *nds_run_failure_message(const NdsRun *run);
char *nds_run_global(const NdsRun *run, const char *name, bool lossless);
char *nds_run_globals(const NdsRun *run, bool lossless);
char *nds_run_calls(const NdsRun *run, size_t most);
bool nds_run_set_global(const NdsRun *run, const char *name, const char *value);
char *nds_run_statistics(const NdsRun *run);
uint8_t *nds_run_save(const NdsRun *run, size_t *length);
size_t nds_run_picture_count(const NdsRun *run);
size_t nds_run_picture_offset(const NdsRun *run, size_t picture);
char *nds_run_picture_words(const NdsRun *run, size_t picture);
uint8_t *nds_run_picture_png(const NdsRun *run, size_t picture, uint32_t tile_size, size_t *length);
int64_t *nds_run_grid(const NdsRun *run, const char *name, const char *values, int64_t other, size_t *width,
    size_t *height);
bool nds_run_begin_call(const NdsRun *run, const char *function, const char *arguments);
int nds_run_resume_call(const NdsRun *run, uint64_t fuel);
int nds_run_call_numbers(const NdsRun *run, const char *function, const double *numbers, size_t count, uint64_t fuel,
    double *result);
bool nds_run_end_call(const NdsRun *run, bool undo);
bool nds_call_return(const NdsCall *call, const char *value);
bool nds_call_choices(const NdsCall *call, const char *alternatives, bool ordered);
bool nds_call_fail(const NdsCall *call, const char *message);
bool nds_call_charge(const NdsCall *call, uint64_t steps);
]]

local library = ffi.load(os.getenv "NDSCRIPT_LIBRARY" or "ndscript_c")

local ndscript = { outcomes = { [0] = "invalid", "solved", "outOfFuel", "asked", "failed", "error", "limit" } }

--- Stands for `null` inside of tables.
ndscript.null = setmetatable({}, { __tostring = function() return "null" end })

-- Values ------------------------------------------------------------------------------------------------------------

-- Marks a table as an array, so that an empty one is no object.
local array_meta = { __name = "array" }

--- An array, also if it is empty: a copy, because a table has one metatable, and this one's may be the user's.
function ndscript.array(list)
    if list ~= nil and type(list) ~= "table" then error("an array is made of a table, not of a " .. type(list), 2) end
    local copy = setmetatable({}, array_meta)
    for key, value in pairs(list or {}) do copy[key] = value end
    return copy
end

--- A position.
function ndscript.position(x, y) return { ["$"] = "position", x = x, y = y } end

--- A set.
function ndscript.set(list) return { ["$"] = "set", elements = ndscript.array(list) } end

--- A grid of cells that lie row by row.
function ndscript.grid(width, height, cells)
    return { ["$"] = "grid", width = width, height = height, cells = ndscript.array(cells) }
end

local escapes = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t" }

local function quoted(text)
    return '"' .. text:gsub('[%c"\\]', function(c)
        return escapes[c] or string.format("\\u%04x", c:byte())
    end) .. '"'
end

-- What the library takes: three levels of JSON for each of the 128 of a value. A table inside itself ends here.
local DEEPEST = 3 * 128 + 1

local Choices = {}

local function encode(value, depth)
    depth = (depth or 0) + 1
    if depth > DEEPEST then error("a value is nested too deep, or inside itself", 0) end
    local kind = type(value)
    if value == nil or value == ndscript.null then return "null" end
    if kind == "boolean" then return tostring(value) end
    if kind == "number" then
        if value ~= value or value == math.huge or value == -math.huge then error("no number of the language: " .. value, 0) end
        if value % 1 == 0 and math.abs(value) < 2 ^ 53 then return string.format("%d", value) end
        local text = string.format("%.17g", value)
        -- Without a point it would be an integer, and integers are not as large.
        return text:find("[.e]") and text or text .. ".0"
    end
    if kind == "string" then return quoted(value) end
    if kind ~= "table" then error("a " .. kind .. " is no value of the language", 0) end
    if getmetatable(value) == Choices then error("choices are the result of a host function, and no value", 0) end
    local parts, keys, count, last = {}, {}, 0, 0
    for key in pairs(value) do
        if type(key) == "string" then
            keys[#keys + 1] = key
        elseif type(key) == "number" and key >= 1 and key % 1 == 0 then
            count, last = count + 1, math.max(last, key)
        else
            error("the keys of an object are texts, not " .. tostring(key), 0)
        end
    end
    local is_array = count > 0 or getmetatable(value) == array_meta
    if is_array and #keys > 0 then error("a table with elements and fields (" .. keys[1] .. ") is no value of the language", 0) end
    if count < last then error("a table with holes is no array: ndscript.null stands for null inside of tables", 0) end
    if is_array then
        for at = 1, count do parts[at] = encode(value[at], depth) end
        return "[" .. table.concat(parts, ",") .. "]"
    end
    -- One order, so that the same table is the same value in every run.
    table.sort(keys)
    for at, key in ipairs(keys) do parts[at] = quoted(key) .. ":" .. encode(value[key], depth) end
    return "{" .. table.concat(parts, ",") .. "}"
end

local function utf8(code)
    if code < 0x80 then return string.char(code) end
    if code < 0x800 then return string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
    return string.char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

local unescapes = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- The library writes no other JSON than what this reads: without blanks, and without pairs of surrogates.
local function decode(text)
    local at = 1
    local value
    local function string_at()
        local parts = {}
        at = at + 1
        while true do
            local from, to = text:find('^[^"\\]+', at)
            if from then
                parts[#parts + 1] = text:sub(from, to)
                at = to + 1
            end
            local c = text:sub(at, at)
            if c == '"' then
                at = at + 1
                return table.concat(parts)
            end
            local escape = text:sub(at + 1, at + 1)
            if escape == "u" then
                parts[#parts + 1] = utf8(tonumber(text:sub(at + 2, at + 5), 16))
                at = at + 6
            else
                parts[#parts + 1] = unescapes[escape] or escape
                at = at + 2
            end
        end
    end
    function value()
        local c = text:sub(at, at)
        if c == '"' then return string_at() end
        if c == "[" or c == "{" then
            local close = c == "[" and "]" or "}"
            local out = c == "[" and ndscript.array() or {}
            local count = 0
            at = at + 1
            while text:sub(at, at) ~= close do
                local key
                if close == "}" then
                    key = string_at()
                    at = at + 1
                end
                local part = value()
                if part == nil then part = ndscript.null end
                count = count + 1
                out[key or count] = part
                if text:sub(at, at) == "," then at = at + 1 end
            end
            at = at + 1
            return out
        end
        local word = text:match("^[%w%.%+%-]+", at)
        at = at + #word
        if word == "null" then return nil end
        if word == "true" or word == "false" then return word == "true" end
        return tonumber(word)
    end
    return value()
end

-- The border --------------------------------------------------------------------------------------------------------

local function last_error() return ffi.string(library.nds_last_error()) end

local function fail(level) error(last_error(), (level or 2) + 1) end

--- A text that the library gave out; nil if there is none.
local function taken(pointer)
    if pointer == nil then
        if last_error() ~= "" then fail(3) end
        return nil
    end
    local text = ffi.string(pointer)
    library.nds_free(pointer)
    return text
end

local function taken_json(pointer)
    local text = taken(pointer)
    return text and decode(text)
end

local function taken_bytes(pointer, length)
    if pointer == nil then fail(3) end
    local bytes = ffi.string(pointer, length[0])
    library.nds_free(pointer)
    return bytes
end

local size = ffi.typeof "size_t[1]"

-- A text for the library, which would end it at a zero byte.
local function whole(text)
    if type(text) ~= "string" then error("a text is wanted, not a " .. type(text), 3) end
    if text:find("\0", 1, true) then error("a text for the library holds no zero byte", 3) end
    return text
end

-- A number without fraction for the library, which would cut off the rest.
local function whole_number(number, what)
    if ffi.istype("uint64_t", number) or ffi.istype("int64_t", number) and number >= 0 then return number end
    if type(number) ~= "number" or number < 0 or number >= 2 ^ 64 or number % 1 ~= 0 then
        error(what .. " has to be a whole number from 0, not " .. tostring(number), 3)
    end
    return number
end

-- Gives back a handle; the second time there is none any more.
local function free(owner, free_handle)
    if not owner.handle then return end
    free_handle(owner.handle)
    if last_error() ~= "" then fail(3) end
    ffi.gc(owner.handle, nil)
    owner.handle = nil
end

local Engine, Program, Run = {}, {}, {}
Engine.__index, Program.__index, Run.__index = Engine, Program, Run

--- Alternatives as the result of a host function, tried in this order, or in one that the run draws.
function ndscript.choices(list, shuffled)
    return setmetatable({ list = ndscript.array(list), ordered = not shuffled }, Choices)
end

--- An engine. `limits` are optional: steps, memory, depth, output, pictures, pictureCells, source, milliseconds.
function ndscript.engine(limits)
    local engine = setmetatable({ handle = ffi.gc(library.nds_engine_new(), library.nds_engine_free), callbacks = {} }, Engine)
    for name, limit in pairs(limits or {}) do
        if not library.nds_engine_set_limit(engine.handle, whole(name), whole_number(limit, "the limit " .. name)) then fail() end
    end
    return engine
end

function ndscript.version() return ffi.string(library.nds_version()) end

--- Frees what it holds, now and not when garbage is collected. Programs go on.
function Engine:free() free(self, library.nds_engine_free) end

--- Sets a key, 32 bytes, that runs are saved with and have to be saved with: for saved runs from strangers.
function Engine:save_key(key)
    if type(key) ~= "string" then error("a key is a text of 32 bytes", 2) end
    if not library.nds_engine_set_save_key(self.handle, ffi.cast("const uint8_t *", key), #key) then fail() end
    return self
end

--- Adds a file to import, or the image of a tile.
function Engine:add_file(path, content)
    if type(content) ~= "string" then error("the content of a file is a text, not a " .. type(content), 2) end
    if not library.nds_engine_add_file(self.handle, whole(path), ffi.cast("const uint8_t *", content), #content) then fail() end
    return self
end

-- Sets the result of a call to what `answer` returns for the arguments of the script.
local function answered(call, arguments, answer)
    -- An error of Lua must not run through the library.
    local done, problem = pcall(function()
        local list = decode(ffi.string(arguments))
        local count = #list
        for at = 1, count do
            if list[at] == ndscript.null then list[at] = nil end
        end
        local result = answer(unpack(list, 1, count))
        if getmetatable(result) == Choices then
            if not library.nds_call_choices(call, encode(result.list), result.ordered) then error(last_error(), 0) end
        elseif result ~= nil and not library.nds_call_return(call, encode(result)) then
            error(last_error(), 0)
        end
    end)
    if not done then
        -- Whoever made the error wrote how it is shown.
        local shown, words = pcall(tostring, problem)
        if not shown or type(words) ~= "string" then words = "an error that cannot be shown" end
        -- The library would end them at a zero byte.
        library.nds_call_fail(call, (words:gsub("%z", "\239\191\189")))
    end
end

-- The functions of the host by their numbers, which the library hands back as user data: LuaJIT has few callbacks. Who
-- can call a function holds it: its engine until another takes its place, and the programs and runs from before.
local hosted, latest = setmetatable({}, { __mode = "v" }), 0

local function add(engine, name, callback, least, most, adding, calling)
    if type(callback) ~= "function" then error("a function is wanted, not a " .. type(callback), 3) end
    latest = latest + 1
    hosted[latest] = callback
    if not adding(engine.handle, whole(name), least or 0, most or -1, calling, ffi.cast("void *", latest), nil) then fail(3) end
    -- Programs have the table from before.
    local callbacks = { [name] = callback }
    for other, kept in pairs(engine.callbacks) do callbacks[other] = callbacks[other] or kept end
    engine.callbacks = callbacks
    return engine
end

local function kept(user_data) return hosted[tonumber(ffi.cast("intptr_t", user_data))] end

local called = ffi.cast("NdsFunction", function(user_data, call, arguments) answered(call, arguments, kept(user_data)) end)

local asked = ffi.cast("NdsAlternative", function(user_data, call, arguments, number)
    answered(call, arguments, function(...) return kept(user_data)(tonumber(number) + 1, ...) end)
end)

--- Adds a function, which programs that are compiled from now on can call, in place of one with its name. It gets its
--- arguments as Lua values and returns a value, or `ndscript.choices(list)`; `error("...")` is an error of the script.
function Engine:add_function(name, callback, least, most)
    return add(self, name, callback, least, most, library.nds_engine_add_function, called)
end

--- Adds a function whose result is a choice of the script, among alternatives that are made one by one. The callback gets
--- the number of the one that the search asks for, from 1, and the arguments; it returns the alternative, for `null`
--- `ndscript.null`, or nil if there are no more. Runs and their clones ask for the same numbers again, so what it returns
--- must follow from what it gets.
function Engine:add_alternatives(name, callback, least, most)
    return add(self, name, callback, least, most, library.nds_engine_add_alternatives, asked)
end

--- Compiles a program. Its mistakes are raised as a table with `diagnostics`, and `rendered` for a terminal.
function Engine:compile(name, text)
    local out = ffi.new "char *[1]"
    local handle = library.nds_engine_compile(self.handle, whole(name), whole(text), out)
    local rendered = last_error()
    local diagnostics = ndscript.array()
    if out[0] ~= nil then
        diagnostics = decode(ffi.string(out[0]))
        library.nds_free(out[0])
    end
    if handle == nil then
        local mistakes = { diagnostics = diagnostics, rendered = rendered }
        error(setmetatable(mistakes, { __tostring = function() return rendered end }), 2)
    end
    local program = { handle = ffi.gc(handle, library.nds_program_free), warnings = diagnostics, callbacks = self.callbacks }
    return setmetatable(program, Program)
end

--- All messages about a program; nothing runs.
function Engine:check(name, text) return taken_json(library.nds_engine_check(self.handle, whole(name), whole(text))) end

--- What the word before a cursor, a place in bytes, may become: `start`, where the word begins, and `words`.
function Engine:complete(text, cursor) return taken_json(library.nds_engine_complete(self.handle, whole(text), whole_number(cursor, "the cursor"))) end

--- All functions that programs can call, built-ins and those of the host.
function Engine:functions() return taken_json(library.nds_engine_functions(self.handle)) end

local function new_run(handle, callbacks)
    if handle == nil then fail(3) end
    return setmetatable({ handle = ffi.gc(handle, library.nds_run_free), callbacks = callbacks }, Run)
end

--- A run that was saved.
function Engine:restore(program, saved)
    if getmetatable(program) ~= Program then error("a program is wanted", 2) end
    if type(saved) ~= "string" then error("a saved run is a text, not a " .. type(saved), 2) end
    local bytes = ffi.cast("const uint8_t *", saved)
    return new_run(library.nds_engine_restore(self.handle, program.handle, bytes, #saved), program.callbacks)
end

--- Frees what it holds, now and not when garbage is collected. Its runs go on.
function Program:free() free(self, library.nds_program_free) end

function Program:parameters() return taken_json(library.nds_program_parameters(self.handle)) end

--- Begins a run; `parameters` is a table with a field for each.
function Program:run(seed, parameters)
    seed = whole_number(seed or 0, "the seed")
    return new_run(library.nds_program_run(self.handle, seed, parameters and encode(parameters) or nil), self.callbacks)
end

-- Callbacks must not come out of compiled code.
local function resume(run, fuel, step)
    local outcome = step(run.handle, fuel or 2 ^ 53)
    if outcome == 0 then fail(3) end
    return ndscript.outcomes[outcome]
end
jit.off(resume)

--- Goes on for at most so many steps: "solved", "outOfFuel", "asked", "failed", "error" or "limit".
function Run:resume(fuel) return resume(self, whole_number(fuel or 2 ^ 53, "the number of steps"), library.nds_run_resume) end

--- Frees what it holds, now and not when garbage is collected: for games that begin many runs. It must not be in the
--- middle of something.
function Run:free() free(self, library.nds_run_free) end

local function shown(run)
    local length = size()
    local text = taken_bytes(library.nds_run_text(run.handle, length), length)
    local value = library.nds_run_value(run.handle, true)
    -- There is none before the first solution, and with a question.
    if value ~= nil then value = taken_json(value) else value = nil end
    return { text = text, value = value, pictures = tonumber(library.nds_run_picture_count(run.handle)) }
end

--- What was found last: `text`, `value`, and the number of `pictures`.
function Run:solution() return shown(self) end

local function raise(run)
    local problem = taken_json(library.nds_run_error(run.handle)) or { rendered = "the run has stopped" }
    error(setmetatable(problem, { __tostring = function(self) return self.rendered end }), 3)
end

--- All solutions, one after another.
function Run:solutions()
    return function()
        while true do
            local outcome = self:resume()
            if outcome == "solved" then return self:solution() end
            if outcome == "failed" then return nil end
            if outcome == "asked" then error("the program asks: " .. self:question().prompt, 2) end
            if outcome ~= "outOfFuel" then raise(self) end
        end
    end
end

function Run:question() return taken_json(library.nds_run_question(self.handle)) end

--- Answers with the number of an option, counted from 1 as in Lua, or with a line.
function Run:answer(answer)
    local done
    if type(answer) == "number" then
        done = answer >= 1 and answer % 1 == 0 and library.nds_run_answer(self.handle, answer - 1)
    else
        done = library.nds_run_answer_text(self.handle, whole(answer))
    end
    if not done then error("the question has no such answer: " .. tostring(answer), 2) end
end

function Run:error() return taken_json(library.nds_run_error(self.handle)) end
function Run:failure_message()
    local message = taken(library.nds_run_failure_message(self.handle))
    return message
end
function Run:statistics() return taken_json(library.nds_run_statistics(self.handle)) end
function Run:cancel() if not library.nds_run_cancel(self.handle) then fail() end end
function Run:uncancel() if not library.nds_run_uncancel(self.handle) then fail() end end
function Run:clone() return new_run(library.nds_run_clone(self.handle), self.callbacks) end

--- A global variable as it is now.
function Run:global(name) return taken_json(library.nds_run_global(self.handle, whole(name), true)) end

--- All global variables that have a value, by their names.
function Run:globals() return taken_json(library.nds_run_globals(self.handle, true)) end

--- The calls that the run is in, innermost first, at most so many.
function Run:calls(most) return taken_json(library.nds_run_calls(self.handle, whole_number(most or 10, "the number of calls"))) end

function Run:set_global(name, value)
    if not library.nds_run_set_global(self.handle, whole(name), encode(value)) then fail() end
end

--- A grid as integers: `cells[y * width + x]`, counted from 0. With `values` a cell is the index, from 0, of its value
--- among them, and -1 if it is none.
function Run:grid(name, values)
    local width, height = size(), size()
    local cells = library.nds_run_grid(self.handle, whole(name), values and encode(ndscript.array(values)), -1, width, height)
    if cells == nil then fail() end
    return { cells = ffi.gc(cells, library.nds_free), width = tonumber(width[0]), height = tonumber(height[0]) }
end

-- The number of a picture for the library, which counts from 0.
local function at_picture(run, picture)
    local count = tonumber(library.nds_run_picture_count(run.handle))
    if last_error() ~= "" then fail(3) end
    if type(picture) ~= "number" or picture < 1 or picture > count or picture % 1 ~= 0 then
        error(("there is no picture %s: %s"):format(tostring(picture), count > 0 and "the last one is " .. count or "there are none"), 3)
    end
    return picture - 1
end

--- A picture, counted from 1, as the bytes of a PNG file: `love.filesystem.newFileData(run:png(1), "map.png")`.
function Run:png(picture, tile_size)
    local length = size()
    local at, pixels = at_picture(self, picture), whole_number(tile_size or 0, "the size of a tile")
    return taken_bytes(library.nds_run_picture_png(self.handle, at, math.min(pixels, 2 ^ 32 - 1), length), length)
end

--- What a picture shows, in words, and before which byte of the text it stands, counted from 1.
function Run:picture(picture)
    local at = at_picture(self, picture)
    return taken(library.nds_run_picture_words(self.handle, at)), tonumber(library.nds_run_picture_offset(self.handle, at)) + 1
end

-- The first result of a call that has come to an outcome.
local function finish(self, outcome)
    while outcome == "outOfFuel" do
        outcome = resume(self, nil, library.nds_run_resume_call)
    end
    if outcome == "solved" then
        local result = taken_json(library.nds_run_value(self.handle, true))
        library.nds_run_end_call(self.handle, false)
        return result
    end
    if outcome == "failed" then return nil end
    if outcome == "asked" then
        library.nds_run_end_call(self.handle, true)
        error("the function asks a question", 3)
    end
    -- At a limit it would go on; here it ends, as with any error.
    library.nds_run_end_call(self.handle, true)
    raise(self)
end

--- Calls a function of the script and returns its first result, whose effects stay; nil if it has none.
function Run:call(name, ...)
    local arguments = ndscript.array()
    for at = 1, select("#", ...) do
        local argument = select(at, ...)
        if argument == nil then argument = ndscript.null end
        arguments[at] = argument
    end
    if not library.nds_run_begin_call(self.handle, whole(name), encode(arguments)) then fail() end
    return finish(self, resume(self, nil, library.nds_run_resume_call))
end

local numbers, result = ffi.typeof "double[?]", ffi.new "double[1]"

local function call_numbers(run, name, list, count)
    local outcome = library.nds_run_call_numbers(run.handle, name, list, count, 2 ^ 53, result)
    if outcome == 0 then fail(3) end
    return ndscript.outcomes[outcome]
end
jit.off(call_numbers)

--- As `call`, for numbers whose result is a number: much quicker, for calls by the thousand.
function Run:call_numbers(name, ...)
    local count = select("#", ...)
    local outcome = call_numbers(self, whole(name), numbers(count, ...), count)
    if outcome == "solved" then return result[0] end
    return finish(self, outcome)
end

function Run:save()
    local length = size()
    return taken_bytes(library.nds_run_save(self.handle, length), length)
end

return ndscript
