" NDScript: colors where there is no tree-sitter parser. Later items come first where several begin at a place.
if exists("b:current_syntax")
    finish
endif
syntax sync fromstart

syntax match ndscriptOperator "[-+*/%=<>!&|?:;,.]"
syntax match ndscriptBracket "[()[\]]"
syntax match ndscriptNumber "\<\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?"
syntax match ndscriptName "\%([[:alpha:]_]\|[^\x00-\x7f]\)\%([[:alnum:]_]\|[^\x00-\x7f]\)*" contains=@ndscriptWord
syntax match ndscriptFunction "\%([[:alpha:]_]\|[^\x00-\x7f]\)\%([[:alnum:]_]\|[^\x00-\x7f]\)*\ze\s*(" contains=@ndscriptWord
syntax cluster ndscriptWord contains=ndscriptControl,ndscriptStorage,ndscriptConstant

syntax keyword ndscriptControl contained if else while for foreach in break continue choose or fail return import
syntax keyword ndscriptStorage contained var let const function deterministic
syntax keyword ndscriptConstant contained true false null

" After `choose`, `first` is a word of the language.
syntax match ndscriptControl "\<choose\_s\+first\>"
" After a dot, and as the key of an object, every word is a name.
syntax match ndscriptField "\.\_s*\%([[:alpha:]_]\|[^\x00-\x7f]\)\%([[:alnum:]_]\|[^\x00-\x7f]\)*"hs=s+1 contains=ndscriptDot
syntax match ndscriptDot contained "\."
syntax match ndscriptKey contained "\%([[:alpha:]_]\|[^\x00-\x7f]\)\%([[:alnum:]_]\|[^\x00-\x7f]\)*\ze\_s*:"
syntax region ndscriptBraces matchgroup=ndscriptBracket start="{" end="}" transparent contains=TOP,ndscriptKey
" Between `?` and `:` no word is a key.
syntax region ndscriptConditional matchgroup=ndscriptOperator start="?" end=":" end="\ze[;)\]}]" transparent contains=TOP
syntax region ndscriptParens matchgroup=ndscriptBracket start="(" end=")" transparent contains=TOP
syntax region ndscriptBrackets matchgroup=ndscriptBracket start="\[" end="\]" transparent contains=TOP

syntax match ndscriptEscape contained "\\\%([ntr0\"'\\]\|u{\x\{1,8}}\)"
syntax match ndscriptTemplateEscape contained "\\\%([ntr0\"'\\`$]\|u{\x\{1,8}}\)"
syntax region ndscriptString start=+"+ skip=+\\\\\|\\"+ end=+"+ contains=ndscriptEscape
syntax region ndscriptString start=+'+ skip=+\\\\\|\\'+ end=+'+ contains=ndscriptEscape
syntax region ndscriptTemplate start=+`+ skip=+\\\\\|\\`+ end=+`+ contains=ndscriptTemplateEscape,ndscriptSubstitution
syntax region ndscriptSubstitution contained matchgroup=ndscriptDelimiter start="\${" end="}" contains=TOP

syntax match ndscriptComment "//.*"
syntax region ndscriptComment start="/\*" end="\*/"
syntax match ndscriptComment "\%^\%ufeff\?#!.*"

highlight default link ndscriptOperator Operator
highlight default link ndscriptBracket Delimiter
highlight default link ndscriptNumber Number
highlight default link ndscriptFunction Function
highlight default link ndscriptControl Statement
highlight default link ndscriptStorage Keyword
highlight default link ndscriptConstant Constant
highlight default link ndscriptString String
highlight default link ndscriptTemplate String
highlight default link ndscriptDelimiter Special
highlight default link ndscriptEscape SpecialChar
highlight default link ndscriptTemplateEscape SpecialChar
highlight default link ndscriptComment Comment
highlight default link ndscriptField Identifier
highlight default link ndscriptKey Identifier
highlight default link ndscriptDot Operator

let b:current_syntax = "ndscript"
