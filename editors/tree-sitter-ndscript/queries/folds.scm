[
  (block)
  (object)
  (array)
  (arguments)
  (template)
  (comment)
] @fold
