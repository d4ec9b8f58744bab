[
  (program)
  (block)
  (function_declaration)
  (function)
  (arrow_function)
  (for_statement)
  (foreach_statement)
] @local.scope

(declarator name: (identifier) @local.definition)
(function_declaration name: (identifier) @local.definition)
(parameter name: (identifier) @local.definition)
(arrow_function parameter: (identifier) @local.definition)
(import_statement name: (identifier) @local.definition)
(foreach_statement name: (identifier) @local.definition)

(identifier) @local.reference
