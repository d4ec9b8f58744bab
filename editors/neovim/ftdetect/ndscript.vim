autocmd BufRead,BufNewFile *.nds setfiletype ndscript
autocmd BufRead * if !did_filetype() && getline(1) =~# '^#!.*\<ndscript\>' | setfiletype ndscript | endif
