nest(0) :- !, fail.
nest(N) :- choice, N1 is N - 1, nest(N1).
choice.
choice :- fail.
main :- ( nest(1000000) -> true ; true ), print(0), nl.
:- initialization((main, halt)).
