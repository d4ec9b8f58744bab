" Neovim guesses by the contents before this comes: the ending counts more.
autocmd BufRead,BufNewFile *.nds set filetype=ndscript
autocmd BufRead * if !did_filetype() && getline(1) =~# '^#!.*\<ndscript\>' | setfiletype ndscript | endif
