((comment) @injection.content
 (#set! injection.language "comment"))

; The built-ins that take a regular expression.
((call
  function: (identifier) @_function
  arguments: (arguments . (_) . (string (string_content) @injection.content)))
 (#any-of? @_function "matches" "findAll" "replaceAll")
 (#set! injection.language "regex"))

((call
  function: (identifier) @_function
  arguments: (arguments . (_) . (_) . (string (string_content) @injection.content)))
 (#eq? @_function "pattern")
 (#set! injection.language "regex"))
