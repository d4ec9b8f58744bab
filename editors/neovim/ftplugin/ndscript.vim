" NDScript: how a program is edited.
if exists("b:did_ftplugin")
    finish
endif
let b:did_ftplugin = 1

setlocal commentstring=//\ %s
setlocal comments=s1:/*,mb:*,ex:*/,://
setlocal expandtab shiftwidth=4 softtabstop=4
setlocal cindent cinoptions=J1,j1,(s,m1
setlocal formatoptions-=t formatoptions+=croql
setlocal suffixesadd=.nds
let &l:include = '^\s*import'

let b:undo_ftplugin = "setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< cindent< cinoptions< formatoptions< suffixesadd< include<"
