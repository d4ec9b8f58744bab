-- Opens examples and compares the colors with the tokens of the real lexer: nvim --headless -u NONE -S test.lua
-- The listing is in NDSCRIPT_TOKENS, the tree-sitter parser in NDSCRIPT_PARSER.
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h")
vim.opt.runtimepath:prepend(here)
vim.cmd("filetype plugin indent on | syntax on")

local failures = {}
local function check(holds, message)
    if not holds then
        table.insert(failures, message)
    end
end

--- The files of the listing that lie in `examples`, and two texts of tests with what is rare.
local function listed()
    local files, tokens = {}, nil
    for line in io.lines(os.getenv("NDSCRIPT_TOKENS")) do
        local name, state = line:match("^file (.*) (%a+)$")
        if name then
            tokens = nil
            if state == "parsed" and (name:match("examples/") or name:match("tests/language/strings/") or name:match("tests/language/literals/")) then
                tokens = {}
                table.insert(files, { name = name, tokens = tokens })
            end
        elseif tokens then
            local kind, from, to = line:match("(%a+) (%d+) (%d+)")
            table.insert(tokens, { kind = kind, from = tonumber(from), to = tonumber(to) })
        end
    end
    return files
end

local kinds = {
    ndscriptOperator = "Operator", ndscriptDot = "Operator", ndscriptBracket = "Bracket", ndscriptNumber = "Number",
    ndscriptName = "Name", ndscriptFunction = "Name", ndscriptField = "Name", ndscriptKey = "Name",
    ndscriptControl = "Keyword", ndscriptStorage = "Keyword", ndscriptConstant = "Keyword", ndscriptString = "String",
    ndscriptTemplate = "String", ndscriptDelimiter = "String", ndscriptEscape = "String", ndscriptTemplateEscape = "String",
    ndscriptComment = "Comment",
}

local capture_kinds = {
    { "keyword", "Keyword" }, { "constant.numeric", "Number" }, { "constant.builtin", "Keyword" }, { "string", "String" },
    { "comment", "Comment" }, { "variable", "Name" }, { "function", "Name" }, { "punctuation.bracket", "Bracket" },
    { "punctuation.delimiter", "Operator" }, { "operator", "Operator" },
}

local function of_capture(name)
    for _, pair in ipairs(capture_kinds) do
        if name == pair[1] or name:sub(1, #pair[1] + 1) == pair[1] .. "." then
            return pair[2]
        end
    end
    return name
end

local with_parser = require("ndscript").tree_sitter(os.getenv("NDSCRIPT_PARSER"))
check(with_parser, "the parser is not taken")

local compared, trees = 0, 0
for _, file in ipairs(listed()) do
    local text = table.concat(vim.fn.readfile(file.name, "b"), "\n")
    -- Neovim takes the mark of byte order, and carriage returns, out of the text.
    if not text:match("[\r\239]") and #text < 20000 then
        vim.cmd("silent edit " .. vim.fn.fnameescape(file.name))
        check(vim.bo.filetype == "ndscript", file.name .. " has the file type " .. vim.bo.filetype)
        check(vim.bo.commentstring == "// %s", "the file type has no plugin")
        local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
        local starts, at = {}, 0
        for number, line in ipairs(lines) do
            starts[number] = at
            at = at + #line + 1
        end
        local by_tree = {}
        if with_parser then
            local tree = vim.treesitter.get_parser(0, "ndscript"):parse()[1]
            check(not tree:root():has_error(), file.name .. " has an ERROR node")
            trees = trees + 1
            local get = vim.treesitter.query.get or vim.treesitter.query.get_query
            local query = get("ndscript", "highlights")
            for id, node in query:iter_captures(tree:root(), 0, 0, -1) do
                local row, column = node:start()
                by_tree[starts[row + 1] + column] = of_capture(query.captures[id])
            end
        end
        local row = 1
        for _, token in ipairs(file.tokens) do
            while row < #lines and starts[row + 1] <= token.from do
                row = row + 1
            end
            local where = string.format("%s:%d:%d", file.name, row, token.from - starts[row] + 1)
            -- The last letter, too: where something ends is as well known as where it begins.
            local last_row = row
            while last_row < #lines and starts[last_row + 1] <= token.to - 1 do
                last_row = last_row + 1
            end
            for _, place in ipairs({ { row, token.from - starts[row] + 1 }, { last_row, token.to - starts[last_row] } }) do
                local stack = vim.fn.synstack(place[1], place[2])
                local group = #stack > 0 and vim.fn.synIDattr(stack[#stack], "name") or "nothing"
                local found = kinds[group] or group
                check(found == token.kind, string.format("%s is %s, not %s (%s)", where, token.kind, found, group))
            end
            if with_parser and token.kind ~= "String" then
                local found = by_tree[token.from]
                check(found == token.kind, string.format("%s is %s, and not %s by the tree", where, token.kind, tostring(found)))
            end
        end
        compared = compared + 1
        vim.cmd("bwipeout!")
    end
end
check(compared > 40, "only " .. compared .. " files were compared")

-- A program without the ending is known by its first line, and lines are indented.
local path = vim.fn.tempname()
vim.fn.writefile({ "#!/usr/bin/env ndscript", "while (true) {", "print(1);", "}" }, path)
vim.cmd("silent edit " .. path)
check(vim.bo.filetype == "ndscript", "the first line is not seen")
vim.cmd("silent normal! gg=G")
check(vim.fn.getline(3) == "    print(1);", "indented as " .. vim.fn.getline(3))

-- nvim-dap gets an adapter that starts.
package.loaded.dap = { adapters = {}, configurations = {} }
check(require("ndscript").dap("/bin/ndscript"), "nvim-dap is not seen")
check(package.loaded.dap.adapters.ndscript.args[1] == "dap", "the adapter is another one")
check(package.loaded.dap.configurations.ndscript[1].program == "${file}", "nothing is launched")
require("ndscript").setup({ path = "/nowhere/ndscript" })

for index = 1, math.min(#failures, 30) do
    io.stderr:write(failures[index] .. "\n")
end
print(string.format("Neovim: %d files, %d trees, %d failures\n", compared, trees, #failures))
vim.cmd(#failures > 0 and "cquit" or "qall!")
