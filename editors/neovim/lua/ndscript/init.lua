-- NDScript in Neovim: the language server, the debugger (with nvim-dap) and tree-sitter, as far as they are there.
local M = {}

--- The folder `editors` of NDScript, in which this plugin lies.
local function editors()
    local here = debug.getinfo(1, "S").source:sub(2)
    return vim.fn.fnamemodify(here, ":p:h:h:h:h")
end

--- Starts the language server for a buffer.
local function start_server(command, more, buffer)
    local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":p:h")
    local config = { name = "ndscript", cmd = vim.list_extend({ command, "lsp" }, more), root_dir = folder }
    if vim.lsp.start then
        vim.lsp.start(config, { bufnr = buffer })
        return
    end
    -- Before Neovim 0.8: one server for each folder.
    M.servers = M.servers or {}
    M.servers[folder] = M.servers[folder] or vim.lsp.start_client(config)
    if M.servers[folder] then
        vim.lsp.buf_attach_client(buffer, M.servers[folder])
    end
end

--- What the code lenses above programs and tests do, in a terminal below.
local function lenses(command)
    --- How many solutions of each file were shown.
    local solutions = {}
    local function start(uri, words)
        local path = vim.uri_to_fname(uri)
        vim.api.nvim_buf_call(vim.uri_to_bufnr(uri), function()
            vim.cmd("silent update")
        end)
        vim.cmd("botright new")
        vim.fn.termopen(vim.list_extend({ command, words[1], path }, vim.list_slice(words, 2)))
        vim.cmd("wincmd p")
    end
    local function show(uri, count)
        solutions[uri] = count
        start(uri, { "run", "--seed", "1", "--solutions", tostring(count) })
    end
    vim.lsp.commands["ndscript.run"] = function(lens)
        show(lens.arguments[1], 1)
    end
    vim.lsp.commands["ndscript.nextSolution"] = function(lens)
        show(lens.arguments[1], (solutions[lens.arguments[1]] or 0) + 1)
    end
    vim.lsp.commands["ndscript.test"] = function(lens)
        start(lens.arguments[1], { "test", "--only", lens.arguments[2] })
    end
end

--- Colors by tree-sitter. False if the parser is not there.
function M.tree_sitter(parser)
    local language = vim.treesitter.language
    local add = language and language.add or function(name, options)
        return vim.treesitter.require_language(name, options.path)
    end
    if not (parser and vim.loop.fs_stat(parser) and pcall(add, "ndscript", { path = parser })) then
        return false
    end
    local query = vim.treesitter.query
    local set = query.set or query.set_query
    for _, name in ipairs({ "highlights", "locals", "folds", "indents", "injections" }) do
        local lines = vim.fn.readfile(editors() .. "/tree-sitter-ndscript/queries/" .. name .. ".scm")
        set("ndscript", name, table.concat(lines, "\n"))
    end
    return true
end

--- The adapter and a configuration for nvim-dap. False if that is not there.
function M.dap(command)
    local found, dap = pcall(require, "dap")
    if not found then
        return false
    end
    dap.adapters.ndscript = { type = "executable", command = command, args = { "dap" } }
    dap.configurations.ndscript = {
        { type = "ndscript", request = "launch", name = "Debug this program", program = "${file}", seed = 1 },
    }
    return true
end

--- Options: `path`, the program `ndscript`; `arguments`, what `ndscript lsp` is started with; `parser`, the tree-sitter
--- parser.
function M.setup(options)
    options = options or {}
    local command = options.path or "ndscript"
    local parser = options.parser or (editors() .. "/tree-sitter-ndscript/ndscript.so")
    local colors = M.tree_sitter(parser)
    M.dap(command)
    lenses(command)
    vim.api.nvim_create_autocmd("FileType", {
        group = vim.api.nvim_create_augroup("ndscript", {}),
        pattern = "ndscript",
        callback = function(event)
            if colors and vim.treesitter.start then
                vim.treesitter.start(event.buf, "ndscript")
            end
            if vim.fn.executable(command) == 1 then
                start_server(command, options.arguments or {}, event.buf)
            end
        end,
    })
end

return M
