% Plain backtracking: a column for each row, checked against the rows before.
safe(_, _, []).
safe(C, D, [C1|Cs]) :- C =\= C1, abs(C - C1) =\= D, D1 is D + 1, safe(C, D1, Cs).
place(N, N, _) :- !.
place(R, N, Placed) :- M is N - 1, between(0, M, C), safe(C, 1, Placed), R1 is R + 1, place(R1, N, [C|Placed]).
main :- aggregate_all(count, (between(1, 20, _), place(0, 8, [])), Total), print(Total), nl.
:- initialization((main, halt)).
