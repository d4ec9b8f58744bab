[
  (block)
  (object)
  (array)
  (arguments)
  (parameters)
  (parenthesized)
  (choose)
] @indent

["}" "]" ")"] @outdent
