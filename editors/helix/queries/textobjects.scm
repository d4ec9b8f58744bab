(function_declaration body: (block) @function.inside) @function.around
(function body: (block) @function.inside) @function.around
(arrow_function body: (_) @function.inside) @function.around

(parameter) @parameter.inside
(arguments (_) @parameter.inside)

(comment) @comment.inside
(comment)+ @comment.around
