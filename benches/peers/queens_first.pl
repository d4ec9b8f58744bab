safe(_, _, []).
safe(C, D, [C1|Cs]) :- C =\= C1, abs(C - C1) =\= D, D1 is D + 1, safe(C, D1, Cs).
place(N, N, Placed, Placed) :- !.
place(R, N, Placed, All) :- M is N - 1, between(0, M, C), safe(C, 1, Placed), R1 is R + 1, place(R1, N, [C|Placed], All).
main :- place(0, 20, [], All), !, print(All), nl.
:- initialization((main, halt)).
