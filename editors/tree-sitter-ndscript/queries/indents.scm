; For Neovim; Helix has its own.

[
  (block)
  (object)
  (array)
  (arguments)
  (parameters)
  (parenthesized)
  (choose)
] @indent.begin

["}" "]" ")"] @indent.branch @indent.end

(ERROR ["{" "[" "("]) @indent.begin

[(comment) (string) (template)] @indent.ignore
