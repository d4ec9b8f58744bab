-- Works on an example with the language server, as a person would: nvim --headless -u NONE -S server.lua
-- The program is the one that NDSCRIPT names.
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h")
vim.opt.runtimepath:prepend(here)
vim.cmd("filetype plugin indent on")

local function fail(message)
    io.stderr:write("Neovim and the language server: " .. message .. "\n")
    vim.cmd("cquit")
end

--- Waits until something holds; the run of the test ends if it never does.
local function wait(what, holds)
    if not vim.wait(20000, holds, 20) then
        fail("nothing came of this: " .. what)
    end
end

local function lines()
    return vim.api.nvim_buf_get_lines(0, 0, -1, true)
end

local function set(text)
    vim.api.nvim_buf_set_lines(0, 0, -1, true, vim.split(text, "\n"))
end

local function expect(what, found, wanted)
    if not vim.deep_equal(found, wanted) then
        fail(what .. " is " .. vim.inspect(found) .. ", not " .. vim.inspect(wanted))
    end
end

--- The answer to a request about where the cursor stands.
local function ask(method, row, column, more)
    vim.api.nvim_win_set_cursor(0, { row, column })
    local parameters = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
    local answers = vim.lsp.buf_request_sync(0, method, parameters, 20000) or fail(method .. " is not answered")
    local _, answer = next(answers)
    return answer.result or fail(method .. " gives " .. vim.inspect(answer))
end

require("ndscript").setup({ path = os.getenv("NDSCRIPT") })
local folder = vim.fn.tempname()
vim.fn.mkdir(folder)
local path = folder .. "/queens.nds"
vim.fn.writefile(vim.fn.readfile(vim.fn.fnamemodify(here, ":h:h") .. "/examples/queens/short.nds"), path)
vim.cmd("silent edit " .. path)
wait("a server", function()
    return next(vim.lsp.buf_get_clients(0)) ~= nil
end)
local whole = table.concat(lines(), "\n")

-- An error is told, and is gone when it is mended.
set(whole .. "\nprint(1)")
wait("an error", function()
    return #vim.diagnostic.get(0) == 1
end)
local told = vim.diagnostic.get(0)[1]
expect("the line of the error", told.lnum, #lines() - 1)
if not told.message:find("a `;` is missing", 1, true) then
    fail("the error is " .. told.message)
end
set(whole .. "\nvar total = 1;\nfunction twice(number) { return number+number; }\nprint(twice( total ));")
wait("no error", function()
    return #vim.diagnostic.get(0) == 0
end)
local last = #lines()

-- Names are completed: the function of the program, and a built-in.
local items = ask("textDocument/completion", last, 8)
items = items.items or items
local labels = vim.tbl_map(function(item)
    return item.label
end, items)
if not vim.tbl_contains(labels, "twice") then
    fail("`twice` is not offered: " .. vim.inspect(labels))
end

-- A rename changes both places.
vim.api.nvim_win_set_cursor(0, { last, 14 })
vim.lsp.buf.rename("sum")
wait("a rename", function()
    return lines()[last] == "print(twice( sum ));"
end)
expect("the declaration", lines()[last - 2], "var sum = 1;")

-- The whole document gets the one form.
if vim.lsp.buf.format then
    vim.lsp.buf.format()
else
    vim.lsp.buf.formatting_sync(nil, 20000)
end
expect("the buffer", lines()[last], "print(twice(sum));")
expect("the buffer", lines()[last - 1], "function twice(number) { return number + number; }")
expect("the example", table.concat(vim.list_slice(lines(), 1, last - 3), "\n"), whole)

-- The lens above a test runs that one.
set(whole .. "\nfunction testOne() { printLine(\"one\"); }\nfunction testTwo() { fail; }")
local shown = ask("textDocument/codeLens", 1, 0, {})
expect("the last lens", shown[#shown].command.arguments, { vim.uri_from_bufnr(0), "testTwo" })
local editing = vim.api.nvim_get_current_win()
vim.lsp.commands["ndscript.test"](shown[#shown].command)
expect("the window", vim.api.nvim_get_current_win(), editing)
local terminal = vim.fn.win_getid(vim.fn.winnr("$"))
wait("a test", function()
    local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(terminal), 0, -1, true), "\n")
    return text:find("FAIL  testTwo", 1, true) and text:find("0 of 1 test passed", 1, true)
end)
print("Neovim: an example was checked, completed, renamed, formatted and tested\n")
vim.cmd("qall!")
