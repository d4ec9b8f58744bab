% The "Arto Inkala" sudoku with finite domains.
:- use_module(library(clpfd)).
puzzle([[8,_,_,_,_,_,_,_,_],[_,_,3,6,_,_,_,_,_],[_,7,_,_,9,_,2,_,_],
        [_,5,_,_,_,7,_,_,_],[_,_,_,_,4,5,7,_,_],[_,_,_,1,_,_,_,3,_],
        [_,_,1,_,_,_,_,6,8],[_,_,8,5,_,_,_,1,_],[_,9,_,_,_,_,4,_,_]]).
boxes([], [], []).
boxes([A,B,C|R], [D,E,F|S], [G,H,I|T]) :- all_distinct([A,B,C,D,E,F,G,H,I]), boxes(R, S, T).
main :-
    puzzle(Rows), append(Rows, Cells), Cells ins 1..9,
    maplist(all_distinct, Rows), transpose(Rows, Columns), maplist(all_distinct, Columns),
    Rows = [A,B,C,D,E,F,G,H,I], boxes(A, B, C), boxes(D, E, F), boxes(G, H, I),
    labeling([ff], Cells), atomic_list_concat(Cells, Text), writeln(Text).
:- initialization((main, halt)).
