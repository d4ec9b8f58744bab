/* What the library promises to C: each part used once, and each border crossed wrongly once. */
#include "../ndscript.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s does not hold; latest error: %s\n", __FILE__, __LINE__, #condition, \
                nds_last_error()); \
            exit(1); \
        } \
    } while (0)

/* Whether a text that the library gave out is this one; it is freed. */
static int is(char *given, const char *expected) {
    int same = given && strcmp(given, expected) == 0;
    if (!same) fprintf(stderr, "  found    %s\n  expected %s\n", given ? given : "NULL", expected);
    nds_free(given);
    return same;
}

static int has(char *given, const char *part) {
    int found = given && strstr(given, part) != NULL;
    if (!found) fprintf(stderr, "  found %s\n  without %s\n", given ? given : "NULL", part);
    nds_free(given);
    return found;
}

static NdsProgram *compile(NdsEngine *engine, const char *text) {
    char *diagnostics = NULL;
    NdsProgram *program = nds_engine_compile(engine, "test.nds", text, &diagnostics);
    if (!program) fprintf(stderr, "%s\n", nds_last_error());
    CHECK(program && diagnostics);
    nds_free(diagnostics);
    return program;
}

static NdsRun *begin(NdsEngine *engine, const char *text) {
    NdsProgram *program = compile(engine, text);
    NdsRun *run = nds_program_run(program, 1, NULL);
    CHECK(run);
    nds_program_free(program);
    return run;
}

static void values(NdsEngine *engine) {
    NdsProgram *program = compile(engine,
        "let q = queue(); enqueue(7, q); let w = priorityQueue(); enqueue('b', w, 5); enqueue('a', w, 0.5); print('a', '\\u{0}', 'b');"
        "return {z: position(1, 2), s: setOf(2, 1), q: q, w: w, r: relation([1, [2]]), f: 1.5, n: param('n', 0),"
        " g: gridFromText('ab'), t: 'x\"', e: null, b: true};");
    CHECK(is(nds_program_parameters(program), "[\"n\"]"));
    NdsRun *run = nds_program_run(program, 1, "{\"n\": 12}");
    CHECK(nds_run_value(run, false) == NULL);
    CHECK(nds_run_resume(run, 1000000) == NDS_OUTCOME_SOLVED);
    const char *lossless = "{\"z\":{\"$\":\"position\",\"x\":1,\"y\":2},\"s\":{\"$\":\"set\",\"elements\":[1,2]},"
        "\"q\":{\"$\":\"queue\",\"elements\":[7]},\"w\":{\"$\":\"priorityQueue\",\"entries\":[[\"a\",0.5],[\"b\",5]]},\"r\":{\"$\":\"relation\",\"pairs\":[[1,[2]]]},\"f\":1.5,\"n\":12,"
        "\"g\":{\"$\":\"grid\",\"width\":2,\"height\":1,\"cells\":[\"a\",\"b\"]},\"t\":\"x\\\"\",\"e\":null,\"b\":true}";
    CHECK(is(nds_run_value(run, true), lossless));
    CHECK(is(nds_run_value(run, false), "{\"z\":{\"x\":1,\"y\":2},\"s\":[1,2],\"q\":[7],\"w\":[\"a\",\"b\"],\"r\":[[1,[2]]],\"f\":1.5,"
        "\"n\":12,\"g\":{\"width\":2,\"height\":1,\"cells\":[\"a\",\"b\"]},\"t\":\"x\\\"\",\"e\":null,\"b\":true}"));
    size_t length = 0;
    char *text = nds_run_text(run, &length);
    CHECK(length == 3 && memcmp(text, "a\0b", 4) == 0);
    nds_free(text);
    nds_run_free(run);
    nds_program_free(program);

    /* What was read goes in again, and comes out the same. */
    run = begin(engine, "var it; return it;");
    CHECK(nds_run_set_global(run, "it", lossless));
    CHECK(nds_run_resume(run, 1000000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_value(run, true), lossless));
    CHECK(nds_run_set_global(run, "it", "{\"$\":\"priorityQueue\",\"entries\":[[\"b\",1],[\"c\",1],[\"a\",-2]]}"));
    CHECK(is(nds_run_global(run, "it", false), "[\"a\",\"b\",\"c\"]"));
    CHECK(!nds_run_set_global(run, "it", "{\"$\":\"priorityQueue\",\"entries\":[[\"b\",\"c\"]]}"));
    CHECK(nds_run_set_global(run, "it", "{\"$\":\"object\",\"fields\":[[\"$\",1]]}"));
    CHECK(is(nds_run_global(run, "it", true), "{\"$\":\"object\",\"fields\":[[\"$\",1]]}"));
    CHECK(is(nds_run_globals(run, false), "{\"it\":{\"$\":1}}"));
    CHECK(!nds_run_set_global(run, "it", "{\"$\":\"door\"}") && strstr(nds_last_error(), "\"door\""));
    CHECK(!nds_run_set_global(run, "it", "[1,") && strstr(nds_last_error(), "JSON of the value"));
    CHECK(!nds_run_set_global(run, "it", "9007199254740993") && strstr(nds_last_error(), "beyond the integers"));
    CHECK(!nds_run_set_global(run, "ti", "1") && strstr(nds_last_error(), "ti"));
    nds_run_free(run);
}

static void search(NdsEngine *engine) {
    NdsRun *run = begin(engine, "var x; choose first x = 1; or x = 2; or x = 3; print(x); require(x != 2, 'not two');");
    NdsRun *clone = NULL;
    int pauses = 0;
    NdsOutcome outcome;
    while ((outcome = nds_run_resume(run, 1)) == NDS_OUTCOME_OUT_OF_FUEL) pauses++;
    CHECK(outcome == NDS_OUTCOME_SOLVED && pauses > 0);
    CHECK(is(nds_run_text(run, NULL), "1"));
    clone = nds_run_clone(run);
    for (int i = 0; i < 2; i++) {
        NdsRun *each = i ? clone : run;
        CHECK(nds_run_resume(each, 1000) == NDS_OUTCOME_SOLVED);
        CHECK(is(nds_run_text(each, NULL), "3"));
        CHECK(nds_run_resume(each, 1000) == NDS_OUTCOME_FAILED);
        CHECK(is(nds_run_failure_message(each), "not two"));
        CHECK(has(nds_run_statistics(each), "\"failures\":"));
        nds_run_free(each);
    }
}

static void mistakes(NdsEngine *engine) {
    char *diagnostics = NULL;
    CHECK(!nds_engine_compile(engine, "bad.nds", "var x = ;\nvar y = );", &diagnostics));
    CHECK(strstr(diagnostics, "\"line\":1") && strstr(diagnostics, "\"line\":2") && strstr(diagnostics, "bad.nds"));
    CHECK(strstr(nds_last_error(), "bad.nds:1"));
    nds_free(diagnostics);
    CHECK(!nds_engine_compile(engine, "bad.nds", "var x = ;", NULL));
    CHECK(has(nds_engine_check(engine, "t.nds", "print(prnit);"), "did you mean `print`?"));
    CHECK(has(nds_engine_complete(engine, "chooseEl", 8), "\"chooseElement\""));
    CHECK(has(nds_engine_functions(engine), "\"chooseElement\""));

    NdsRun *run = begin(engine, "var stock = {apples: 3};\nfunction take(what) {\n  stock[what] -= 1;\n}\ntake('aples');");
    CHECK(nds_run_error(run) == NULL);
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_ERROR);
    char *error = nds_run_error(run);
    CHECK(strstr(error, "\"line\":3") && strstr(error, "did you mean `apples`?") && strstr(error, "take("));
    nds_free(error);
    nds_run_free(run);

    CHECK(nds_engine_set_limit(engine, "steps", 1000));
    run = begin(engine, "function f() {\n  while (true) {}\n}\nf();");
    CHECK(nds_engine_set_limit(engine, "steps", UINT64_MAX));
    CHECK(nds_run_resume(run, 10000) == NDS_OUTCOME_LIMIT);
    CHECK(has(nds_run_error(run), "\"message\":\"the run reached its limit of 1000 steps\""));
    char *calls = nds_run_calls(run, 10);
    CHECK(strstr(calls, "\"function\":\"f\"") && strstr(calls, "\"line\":2"));
    nds_free(calls);
    nds_run_free(run);
    CHECK(!nds_engine_set_limit(engine, "stpes", 1));
}

static int freed = 0;

static void count_freed(void *user_data) {
    CHECK(*(int *)user_data == 42);
    freed++;
}

static void add_one(void *user_data, const NdsCall *call, const char *arguments) {
    char answer[100];
    snprintf(answer, sizeof answer, "[%d, %s]", *(int *)user_data, arguments);
    CHECK(nds_call_return(call, answer));
}

static void exits(void *user_data, const NdsCall *call, const char *arguments) {
    (void)user_data, (void)arguments;
    CHECK(!nds_call_return(call, "nonsense"));
    CHECK(nds_call_choices(call, "[3, {\"$\":\"position\",\"x\":0,\"y\":1}]", true));
    CHECK(nds_call_charge(call, 5000));
}

static void locked(void *user_data, const NdsCall *call, const char *arguments) {
    (void)user_data, (void)arguments;
    CHECK(nds_call_fail(call, "the door is locked"));
}

static void reenter(void *user_data, const NdsCall *call, const char *arguments) {
    NdsRun *run = *(NdsRun **)user_data;
    (void)call, (void)arguments;
    CHECK(nds_run_resume(run, 1) == NDS_OUTCOME_INVALID && strstr(nds_last_error(), "busy"));
    CHECK(nds_run_value(run, true) == NULL && nds_run_clone(run) == NULL);
    nds_run_free(run);
    CHECK(strstr(nds_last_error(), "busy"));
}

static void host_functions(void) {
    static int number = 42;
    static NdsRun *itself;
    NdsEngine *engine = nds_engine_new();
    CHECK(nds_engine_add_function(engine, "addOne", 1, 2, add_one, &number, count_freed));
    CHECK(nds_engine_add_function(engine, "exits", 0, 0, exits, NULL, NULL));
    CHECK(nds_engine_add_function(engine, "locked", 0, -1, locked, NULL, NULL));
    CHECK(nds_engine_add_function(engine, "reenter", 0, 0, reenter, &itself, NULL));
    CHECK(!nds_engine_add_function(engine, "none", 0, 0, NULL, &number, count_freed) && freed == 1);
    CHECK(has(nds_engine_check(engine, "t", "addOne();"), "`addOne`"));
    CHECK(has(nds_engine_check(engine, "t", "addOne(1, 2, 3);"), "`addOne`"));
    CHECK(is(nds_engine_check(engine, "t", "addOne(1, 2); locked(1, 2, 3, 4);"), "[]"));
    NdsRun *run = begin(engine, "print(addOne(setOf(5)), exits());");
    NdsRun *fails = begin(engine, "print(\n  locked(1, 2));");
    itself = begin(engine, "reenter(); print('through');");
    nds_engine_free(engine);
    CHECK(freed == 1);
    CHECK(nds_run_resume(run, 100000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_text(run, NULL), "[42, [{5}]]3"));
    CHECK(nds_run_resume(run, 100000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_text(run, NULL), "[42, [{5}]](0,1)"));
    CHECK(nds_run_resume(fails, 100000) == NDS_OUTCOME_ERROR);
    char *error = nds_run_error(fails);
    CHECK(strstr(error, "the door is locked") && strstr(error, "\"line\":2"));
    nds_free(error);
    CHECK(nds_run_resume(itself, 100000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_text(itself, NULL), "through"));
    nds_run_free(itself);
    nds_run_free(fails);
    CHECK(freed == 1);
    nds_run_free(run);
    CHECK(freed == 2);
}

static void charged(void) {
    NdsEngine *engine = nds_engine_new();
    CHECK(nds_engine_add_function(engine, "exits", 0, 0, exits, NULL, NULL));
    CHECK(nds_engine_set_limit(engine, "steps", 4000));
    NdsRun *run = begin(engine, "exits(); exits(); print('never');");
    CHECK(nds_run_resume(run, 100000) == NDS_OUTCOME_LIMIT);
    nds_run_free(run);
    nds_engine_free(engine);
}

static int made = 0;

/* Multiples of its argument, without end. */
static void multiple(void *user_data, const NdsCall *call, const char *arguments, uint64_t number) {
    char alternative[100];
    CHECK(*(int *)user_data == 42);
    made++;
    snprintf(alternative, sizeof alternative, "%lld", strtoll(arguments + 1, NULL, 10) * (long long)(number + 1));
    CHECK(nds_call_return(call, alternative) && nds_call_charge(call, 1000));
}

static void letters(void *user_data, const NdsCall *call, const char *arguments, uint64_t number) {
    const char *all[] = {"\"a\"", "null", "[1]"};
    (void)user_data, (void)arguments;
    if (number < 3) CHECK(nds_call_return(call, all[number]));
}

/* The first alternative is one, the second is a mistake of the kind that the argument names. */
static void spoiled(void *user_data, const NdsCall *call, const char *arguments, uint64_t number) {
    (void)user_data;
    CHECK(nds_call_return(call, "0"));
    if (number == 0) return;
    if (strstr(arguments, "fail")) CHECK(nds_call_fail(call, "the well is dry"));
    if (strstr(arguments, "list")) CHECK(nds_call_choices(call, "[1, 2]", true));
}

static void again(void *user_data, const NdsCall *call, const char *arguments, uint64_t number) {
    (void)number;
    reenter(user_data, call, arguments);
}

static unsigned long long steps_of(const NdsRun *run) {
    char *figures = nds_run_statistics(run);
    unsigned long long steps = strtoull(strstr(figures, "\"steps\":") + 8, NULL, 10);
    nds_free(figures);
    return steps;
}

static void alternatives(void) {
    static int number = 42;
    static NdsRun *itself;
    freed = 0;
    NdsEngine *engine = nds_engine_new();
    CHECK(nds_engine_add_alternatives(engine, "multiple", 1, 1, multiple, &number, count_freed));
    CHECK(nds_engine_add_alternatives(engine, "letters", 0, 0, letters, NULL, NULL));
    CHECK(nds_engine_add_alternatives(engine, "spoiled", 1, 1, spoiled, NULL, NULL));
    CHECK(nds_engine_add_alternatives(engine, "again", 0, 0, again, &itself, NULL));
    CHECK(!nds_engine_add_alternatives(engine, "none", 0, 0, NULL, &number, count_freed) && freed == 1);
    CHECK(!nds_engine_add_alternatives(NULL, "none", 0, 0, letters, &number, count_freed) && freed == 2);
    CHECK(has(nds_engine_check(engine, "t", "multiple();"), "`multiple`"));

    /* Going back asks again, and only for what is needed; a clone and a restored run ask for themselves. */
    NdsProgram *program = compile(engine, "let x = multiple(3); require(x > 10); return x;");
    NdsRun *run = nds_program_run(program, 1, NULL);
    CHECK(nds_run_resume(run, 100000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "12") && made == 4);
    CHECK(steps_of(run) > 4000);
    size_t length = 0;
    uint8_t *saved = nds_run_save(run, &length);
    NdsRun *runs[] = {nds_run_clone(run), run, nds_engine_restore(engine, program, saved, length)};
    for (int each = 0; each < 3; each++) {
        CHECK(nds_run_resume(runs[each], 100000) == NDS_OUTCOME_SOLVED && is(nds_run_value(runs[each], true), "15"));
        CHECK(made == 5 + each);
    }
    CHECK(steps_of(runs[0]) == steps_of(run) && steps_of(runs[2]) == steps_of(run));
    nds_free(saved), nds_program_free(program), nds_run_free(runs[0]), nds_run_free(runs[2]);

    NdsRun *ends = begin(engine, "print(solutions(() => letters()));");
    CHECK(nds_run_resume(ends, 100000) == NDS_OUTCOME_SOLVED && is(nds_run_text(ends, NULL), "[\"a\", null, [1]]"));
    nds_run_free(ends);
    const char *mistakes[][2] = {{"spoiled('fail') == 1", "the well is dry"}, {"spoiled('list') == 1", "one alternative at a time"}};
    for (int each = 0; each < 2; each++) {
        char text[100];
        snprintf(text, sizeof text, "\nrequire(%s);", mistakes[each][0]);
        NdsRun *fails = begin(engine, text);
        CHECK(nds_run_resume(fails, 100000) == NDS_OUTCOME_ERROR);
        CHECK(has(nds_run_error(fails), mistakes[each][1]) && has(nds_run_error(fails), "\"line\":2"));
        nds_run_free(fails);
    }
    itself = begin(engine, "again();");
    CHECK(nds_run_resume(itself, 100000) == NDS_OUTCOME_FAILED);
    nds_run_free(itself);
    nds_engine_free(engine);
    CHECK(freed == 2);
    nds_run_free(run);
    CHECK(freed == 3);
}

static void script_calls(NdsEngine *engine) {
    NdsRun *run = begin(engine,
        "var health = 10; function hit(n) { health -= n; choose first health -= 0; or health -= 1; print('ouch'); return health; }"
        "function whom() { return ask('Who?', ['you', 'me']); } function loop() { while (true) {} } function name() { health = 0; return 'Ada'; }"
        "choose first health += 0; or health = 100;");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(nds_run_begin_call(run, "hit", "[3]"));
    CHECK(nds_run_resume_call(run, 1) == NDS_OUTCOME_OUT_OF_FUEL);
    CHECK(nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_value(run, true), "7") && is(nds_run_text(run, NULL), "ouch"));
    CHECK(nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_value(run, true), "6"));
    CHECK(nds_run_end_call(run, false));
    CHECK(is(nds_run_global(run, "health", true), "6"));
    CHECK(nds_run_begin_call(run, "hit", "[1]") && nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(nds_run_end_call(run, true));
    CHECK(is(nds_run_global(run, "health", true), "6"));
    CHECK(nds_run_begin_call(run, "whom", NULL) && nds_run_resume_call(run, 1000) == NDS_OUTCOME_ASKED);
    CHECK(is(nds_run_question(run), "{\"options\":[\"you\",\"me\"],\"prompt\":\"Who?\"}"));
    CHECK(!nds_run_answer(run, 2) && nds_run_answer(run, 1));
    CHECK(nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "\"me\""));
    CHECK(!nds_run_begin_call(run, "hti", NULL) && strstr(nds_last_error(), "hit"));
    CHECK(nds_run_begin_call(run, "hit", "[\"x\"]") && nds_run_resume_call(run, 1000) == NDS_OUTCOME_ERROR);
    CHECK(nds_run_resume_call(run, 1000) == NDS_OUTCOME_FAILED);
    double three = 3, left = 0;
    CHECK(nds_run_call_numbers(run, "hit", &three, 1, 1000, &left) == NDS_OUTCOME_SOLVED && left == 3);
    CHECK(is(nds_run_text(run, NULL), "ouch") && is(nds_run_global(run, "health", true), "3"));
    double half = 0.5;
    CHECK(nds_run_call_numbers(run, "hit", &half, 1, 1, &left) == NDS_OUTCOME_OUT_OF_FUEL && left == 0);
    CHECK(nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "2.5"));
    CHECK(nds_run_end_call(run, true) && is(nds_run_global(run, "health", true), "3"));
    CHECK(nds_run_call_numbers(run, "name", NULL, 0, 1000, &left) == NDS_OUTCOME_INVALID && strstr(nds_last_error(), "no number"));
    CHECK(nds_run_call_numbers(run, "hit", NULL, 1, 1000, &left) == NDS_OUTCOME_INVALID);
    CHECK(nds_run_call_numbers(run, "hit", &three, 1, 1000, NULL) == NDS_OUTCOME_INVALID);
    CHECK(nds_run_call_numbers(run, "hti", &three, 1, 1000, &left) == NDS_OUTCOME_INVALID && strstr(nds_last_error(), "hit"));
    CHECK(nds_run_call_numbers(run, "whom", NULL, 0, 1000, &left) == NDS_OUTCOME_ASKED && nds_run_end_call(run, true));
    CHECK(nds_run_call_numbers(run, "loop", NULL, 0, 1000, &left) == NDS_OUTCOME_OUT_OF_FUEL && left == 0);
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(is(nds_run_global(run, "health", true), "100"));
    nds_run_free(run);
}

static void questions(NdsEngine *engine) {
    NdsRun *run = begin(engine, "print('Hello. '); print(input('Name?'));");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_ASKED);
    CHECK(is(nds_run_question(run), "{\"options\":null,\"prompt\":\"Name?\"}") && is(nds_run_text(run, NULL), "Hello. "));
    CHECK(!nds_run_answer(run, 0) && nds_run_answer_text(run, "Ada"));
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_text(run, NULL), "Ada"));
    nds_run_free(run);
}

static void pictures(NdsEngine *engine) {
    NdsRun *run = begin(engine,
        "var g = makeGrid(3, 2, 'red'); g[1, 0] = setOf('blue'); g[2, 1] = setOf(1, 2); g[0, 1] = 9;"
        "function more(n) { print('more'); return n + 1; }"
        "function map() { printTilemap(makeGrid(1, 1, 'red')); printTilemap(makeGrid(1, 1, 'blue')); }"
        "print('ab'); printTilemap(makeGrid(3, 2, 'red'));");
    CHECK(nds_run_resume(run, 100000) == NDS_OUTCOME_SOLVED);
    CHECK(nds_run_picture_count(run) == 1 && nds_run_picture_offset(run, 0) == 2);
    CHECK(has(nds_run_picture_words(run, 0), "3 columns"));
    size_t length = 0;
    uint8_t *png = nds_run_picture_png(run, 0, 4, &length);
    /* The header of a PNG file: 12 x 8 pixels. */
    CHECK(png && length > 33 && memcmp(png, "\x89PNG", 4) == 0 && png[19] == 12 && png[23] == 8);
    nds_free(png);
    CHECK(!nds_run_picture_png(run, 1, 0, &length) && strstr(nds_last_error(), "no picture 1"));
    /* A call that prints no picture leaves those of the solution. */
    double one = 1, sum = 0;
    CHECK(nds_run_call_numbers(run, "more", &one, 1, 1000, &sum) == NDS_OUTCOME_SOLVED && sum == 2);
    CHECK(is(nds_run_value(run, true), "2") && is(nds_run_text(run, NULL), "more"));
    CHECK(nds_run_picture_count(run) == 1 && nds_run_picture_offset(run, 0) == 2);
    CHECK(nds_run_begin_call(run, "more", "[1]") && nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(nds_run_picture_count(run) == 1 && nds_run_end_call(run, false) && nds_run_picture_count(run) == 1);
    CHECK(nds_run_begin_call(run, "map", NULL) && nds_run_resume_call(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(nds_run_picture_count(run) == 2 && nds_run_picture_offset(run, 0) == 0 && nds_run_end_call(run, false));
    size_t width = 0, height = 0;
    int64_t *cells = nds_run_grid(run, "g", "[\"red\", \"blue\"]", -1, &width, &height);
    const int64_t tiles[] = {0, 1, 0, -1, 0, -1};
    CHECK(cells && width == 3 && height == 2 && memcmp(cells, tiles, sizeof tiles) == 0);
    nds_free(cells);
    cells = nds_run_grid(run, "g", NULL, -5, &width, &height);
    CHECK(cells && cells[0] == -5 && cells[3] == 9);
    nds_free(cells);
    CHECK(!nds_run_grid(run, "h", NULL, 0, &width, &height) && !nds_run_grid(run, "g", NULL, 0, NULL, &height));
    CHECK(nds_run_resume(run, 100000) == NDS_OUTCOME_FAILED && nds_run_picture_count(run) == 0);
    nds_run_free(run);
}

static void *cancel(void *run) {
    CHECK(nds_run_cancel(run));
    return NULL;
}

static void threads(NdsEngine *engine) {
    NdsRun *run = begin(engine, "while (true) {}");
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, cancel, run) == 0);
    CHECK(nds_run_resume(run, UINT64_MAX) == NDS_OUTCOME_LIMIT);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(has(nds_run_error(run), "\"cancelled\""));
    CHECK(nds_run_uncancel(run) && nds_run_resume(run, 1000) == NDS_OUTCOME_OUT_OF_FUEL);
    nds_run_free(run);
    /* So goes a call. */
    run = begin(engine, "function f(n) { while (n > 0) n -= 1; return 'done'; }");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && nds_run_begin_call(run, "f", "[1000]") && nds_run_cancel(run));
    CHECK(nds_run_resume_call(run, 100000) == NDS_OUTCOME_LIMIT && has(nds_run_error(run), "\"cancelled\""));
    CHECK(nds_run_resume_call(run, 100000) == NDS_OUTCOME_LIMIT && nds_run_uncancel(run));
    CHECK(nds_run_resume_call(run, 100000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "\"done\""));
    nds_run_free(run);
}

static void saves(NdsEngine *engine) {
    const char *file = "var shared = 5;";
    CHECK(nds_engine_add_file(engine, "shared.nds", (const uint8_t *)file, strlen(file)));
    NdsProgram *program = compile(engine, "import 'shared.nds'; var x; choose first x = 1; or x = shared; return x;");
    NdsRun *run = nds_program_run(program, 3, NULL);
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "1"));
    size_t length = 0;
    uint8_t *saved = nds_run_save(run, &length);
    CHECK(saved && length > 0);
    nds_run_free(run);
    run = nds_engine_restore(engine, program, saved, length);
    CHECK(run && nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "5"));
    nds_run_free(run);
    /* Parameters are saved with the run. */
    NdsProgram *asks = compile(engine, "let q = param('q', priorityQueue()); enqueue('b', q, 2); return [dequeue(q), dequeue(q)];");
    run = nds_program_run(asks, 1, "{\"q\": {\"$\": \"priorityQueue\", \"entries\": [[\"c\", 5], [\"a\", 0.5]]}}");
    size_t size;
    uint8_t *begun = nds_run_save(run, &size);
    nds_run_free(run);
    run = nds_engine_restore(engine, asks, begun, size);
    CHECK(run && nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "[\"a\",\"b\"]"));
    nds_free(begun), nds_run_free(run), nds_program_free(asks);
    saved[length / 2] ^= 1;
    CHECK(!nds_engine_restore(engine, program, saved, length) && *nds_last_error());
    CHECK(!nds_engine_restore(engine, program, NULL, 10) && !nds_engine_restore(engine, program, saved, 0));
    nds_free(saved);
    nds_program_free(program);
}

static void hostile(NdsEngine *engine) {
    CHECK(nds_run_resume(NULL, 1) == NDS_OUTCOME_INVALID && strcmp(nds_last_error(), "the run is NULL") == 0);
    CHECK(!nds_engine_compile(engine, NULL, "", NULL) && !nds_engine_compile(engine, "a", NULL, NULL));
    CHECK(!nds_engine_compile(NULL, "a", "", NULL) && !nds_program_run(NULL, 1, NULL));
    CHECK(!nds_engine_compile(engine, "a", "\xff\xfe", NULL) && strstr(nds_last_error(), "UTF-8"));
    CHECK(!nds_engine_add_file(engine, "x", NULL, 5) && nds_engine_add_file(engine, "x", NULL, 0));
    CHECK(!nds_run_cancel(NULL) && !nds_run_value(NULL, true) && !nds_call_return(NULL, "1"));
    NdsProgram *program = compile(engine, "return 1;");
    CHECK(*nds_last_error() == 0);
    CHECK(!nds_program_run(program, 1, "{\"size\": 1}") && strstr(nds_last_error(), "no parameter \"size\""));
    CHECK(!nds_program_run(program, 1, "[1]") && !nds_program_run(program, 1, "{") && !nds_program_run(program, 1, "\xff"));
    char deep[4001];
    memset(deep, '[', 4000), deep[4000] = 0;
    CHECK(!nds_program_run(program, 1, deep) && *nds_last_error());
    nds_program_free(program);
    nds_engine_free(NULL), nds_program_free(NULL), nds_run_free(NULL), nds_free(NULL);
}

static void bad_words(void *user_data, const NdsCall *call, const char *arguments) {
    (void)user_data, (void)arguments;
    CHECK(nds_call_fail(call, "\xff"));
}

/* What frees user data may use the engine. */
static void uses_engine(void *user_data) {
    CHECK(nds_engine_set_limit(user_data, "depth", 1000));
}

/* A callback that uses another run, cancels its own, and frees the engine. */
static void meddle(void *user_data, const NdsCall *call, const char *arguments) {
    void **handles = user_data;
    (void)arguments;
    NdsRun *other = begin(handles[0], "return 7;");
    CHECK(nds_run_resume(other, 1000) == NDS_OUTCOME_SOLVED);
    nds_run_free(other);
    CHECK(nds_run_cancel(handles[1]) && nds_run_uncancel(handles[1]));
    nds_engine_free(handles[0]);
    CHECK(nds_call_return(call, "1"));
}

static void hostile_callbacks(void) {
    NdsEngine *engine = nds_engine_new();
    CHECK(nds_engine_add_function(engine, "badWords", 0, 0, bad_words, NULL, NULL));
    NdsRun *run = begin(engine, "badWords(); print('through');");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_ERROR);
    CHECK(has(nds_run_error(run), "the message of the error is not UTF-8"));
    nds_run_free(run);
    CHECK(!nds_engine_add_function(engine, "\xff", 0, 0, bad_words, engine, uses_engine));
    CHECK(nds_engine_add_function(engine, "backwards", 5, 2, bad_words, NULL, NULL));
    nds_free(nds_engine_check(engine, "t", "backwards(1, 2, 3);"));
    void *handles[2] = {engine, NULL};
    CHECK(nds_engine_add_function(engine, "meddle", 0, 0, meddle, handles, NULL));
    run = handles[1] = begin(engine, "return meddle();");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "1"));
    nds_run_free(run);
}

/* What a thread has of its own may be freed when the thread ends, after the library's words for errors. */
static void free_late(void *run) {
    CHECK(*nds_last_error() == 0);
    CHECK(nds_run_resume(NULL, 1) == NDS_OUTCOME_INVALID);
    nds_run_free(run);
}

static pthread_key_t own;

static void *ends(void *run) {
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED);
    CHECK(!nds_run_picture_png(run, 0, 0, NULL) && *nds_last_error());
    CHECK(pthread_setspecific(own, run) == 0);
    return NULL;
}

static void thread_ends(NdsEngine *engine) {
    pthread_t thread;
    CHECK(pthread_key_create(&own, free_late) == 0);
    CHECK(pthread_create(&thread, NULL, ends, begin(engine, "return 1;")) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

/* What is large, deep, shared or in a circle comes out, or is refused. */
static void hostile_values(void) {
    NdsEngine *engine = nds_engine_new();
    const char *programs[] = {
        "var v = [1]; for (let i = 0; i < 14; i++) v = [v, v]; return v;",
        "var v = []; push(v, v); return v;",
        "var v = []; for (let i = 0; i < 3000; i++) v = [v]; return v;",
        "var v = {}; for (let i = 0; i < 3000; i++) v = {'$': v}; return v;",
        "var v = setOf(1); for (let i = 0; i < 14; i++) v = setOf(v, [v]); return v;",
        "var v = grid([[x => x, queue()]]); v[1, 0] = v; return v;",
    };
    for (size_t at = 0; at < sizeof programs / sizeof *programs; at++) {
        NdsRun *run = begin(engine, programs[at]);
        CHECK(nds_run_resume(run, 10000000) == NDS_OUTCOME_SOLVED);
        for (int lossless = 0; lossless < 2; lossless++) {
            char *value = nds_run_value(run, lossless), *global = nds_run_global(run, "v", lossless);
            if (value || lossless) {
                CHECK(value && global && strcmp(value, global) == 0);
            } else {
                CHECK(!global && strstr(nds_last_error(), "the lossless form") && !nds_run_globals(run, false));
                CHECK(at != 0 && at != 4 && strstr(nds_last_error(), "`v`"));
            }
            nds_free(value), nds_free(global);
            nds_free(nds_run_globals(run, lossless));
        }
        nds_free(nds_run_calls(run, SIZE_MAX));
        size_t size = 0;
        int64_t *cells = nds_run_grid(run, "v", "[1, [2]]", 0, &size, &size);
        nds_free(cells);
        nds_run_free(run);
    }
    NdsRun *run = begin(engine, "var v; printTilemap(makeGrid(300, 300, 'red'));");
    CHECK(nds_run_resume(run, 10000000) == NDS_OUTCOME_SOLVED);
    size_t length = 0;
    uint8_t *png = nds_run_picture_png(run, 0, UINT32_MAX, &length);
    nds_free(png);
    CHECK(!nds_run_set_global(run, "v", "18446744073709551615") && !nds_run_set_global(run, "v", "1e999"));
    CHECK(!nds_run_set_global(run, "v", "{\"$\":\"grid\",\"width\":-1,\"height\":-1,\"cells\":[1]}"));
    CHECK(!nds_run_set_global(run, "v", "{\"$\":\"grid\",\"width\":0,\"height\":9223372036854775807,\"cells\":[]}"));
    CHECK(!nds_run_set_global(run, "v", "{\"$\":\"function\",\"name\":\"print\"}") && !nds_run_set_global(run, "v", "\"\\ud800\""));
    CHECK(nds_run_set_global(run, "v", "{\"$\":\"set\",\"elements\":[{\"$\":\"set\",\"elements\":[]},1,1]}"));
    CHECK(!nds_run_answer(run, SIZE_MAX) && !nds_run_begin_call(run, "v", "{}"));
    CHECK(nds_run_begin_call(run, "v", "[]") && nds_run_resume_call(run, 1000) == NDS_OUTCOME_ERROR);
    nds_run_free(run);
    for (size_t at = 0; at < 12; at++) nds_free(nds_engine_complete(engine, "let ü = 'é", at));
    nds_free(nds_engine_complete(engine, "let a", SIZE_MAX));
    nds_engine_free(engine);
}

/* What a failure leaves in the places for results: nothing. */
static void places(NdsEngine *engine) {
    const char *texts[][2] = {{"t", "\xe4"}, {"\xe4", "1;"}, {"t", NULL}, {NULL, "1;"}, {"t", "var x = ;"}};
    for (size_t at = 0; at < sizeof texts / sizeof *texts; at++) {
        char *diagnostics = (char *)1;
        CHECK(!nds_engine_compile(engine, texts[at][0], texts[at][1], &diagnostics));
        CHECK(has(diagnostics, "\"severity\":\"error\"") && *nds_last_error());
    }
    char *diagnostics = (char *)1;
    CHECK(!nds_engine_compile(engine, "t", "print('\xe4');", &diagnostics) && has(diagnostics, "not UTF-8"));
    CHECK(!nds_engine_compile(NULL, "t", "1;", &diagnostics) && has(diagnostics, "the engine is NULL"));
    size_t length = 7, width = 7, height = 7;
    double result = 7;
    CHECK(!nds_run_text(NULL, &length) && length == 0);
    length = 7;
    CHECK(!nds_run_save(NULL, &length) && length == 0);
    length = 7;
    CHECK(!nds_run_picture_png(NULL, 0, 0, &length) && length == 0);
    CHECK(!nds_run_grid(NULL, "g", NULL, 0, &width, &height) && width == 0 && height == 0);
    CHECK(nds_run_call_numbers(NULL, "f", NULL, 0, 1, &result) == NDS_OUTCOME_INVALID && result == 0);

    /* What is not there is no failure; a run that is not there is one. */
    NdsRun *run = begin(engine, "return 1;");
    CHECK(!nds_run_question(run) && !*nds_last_error() && !nds_run_question(NULL) && *nds_last_error());
    CHECK(!nds_run_error(run) && !*nds_last_error() && !nds_run_error(NULL) && *nds_last_error());
    CHECK(!nds_run_failure_message(run) && !*nds_last_error() && !nds_run_failure_message(NULL) && *nds_last_error());
    CHECK(nds_run_picture_offset(run, 0) == 0 && strcmp(nds_last_error(), "there are no pictures") == 0);
    nds_run_free(run);
    run = begin(engine, "fail 'a\\u{0}b';");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_FAILED && is(nds_run_failure_message(run), "a\xef\xbf\xbd" "b"));
    nds_run_free(run);
}

/* Integers and nesting are bounded alike wherever JSON comes in. */
static void bounds(NdsEngine *engine) {
    NdsProgram *program = compile(engine, "var it = param('n', 0); function same(x) { return x; } return it;");
    const char *large[] = {"9007199254740992", "-9007199254740992", "18446744073709551615", "123456789012345678901234567890"};
    char json[2000];
    NdsRun *run = nds_program_run(program, 1, "{\"n\": 1e300}");
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED && is(nds_run_value(run, true), "1e+300"));
    for (size_t at = 0; at < sizeof large / sizeof *large; at++) {
        snprintf(json, sizeof json, "{\"n\": [\"\\\"1\", %s]}", large[at]);
        CHECK(!nds_program_run(program, 1, json) && strstr(nds_last_error(), large[at]));
        CHECK(!nds_run_set_global(run, "it", json) && strstr(nds_last_error(), large[at]));
        snprintf(json, sizeof json, "[%s]", large[at]);
        CHECK(!nds_run_begin_call(run, "same", json) && strstr(nds_last_error(), large[at]));
        snprintf(json, sizeof json, "%s.0", large[at]);
        CHECK(nds_run_set_global(run, "it", json) && nds_run_set_global(run, "it", "\"9007199254740992\""));
    }
    nds_run_free(run);
    const char *levels[] = {"v = [v]", "v = setOf(v)", "v = relation([v, v])", "v = {'$': v}", "v = grid([[v]])",
        "let q = priorityQueue(); enqueue(v, q, 1); v = q"};
    for (size_t at = 0; at < sizeof levels / sizeof *levels; at++) {
        /* A relation holds its value twice: deep, it is too large before it is too deep. */
        int deepest = at == 2 ? 12 : 128;
        snprintf(json, sizeof json, "var it = 1; function make(n) { let v = 1; for (let i = 0; i < n; i++) { %s; } return v; }"
            "function same(x) { return x; } it = make(%d);", levels[at], deepest);
        run = begin(engine, json);
        CHECK(nds_run_resume(run, 1000000) == NDS_OUTCOME_SOLVED);
        char *value = nds_run_global(run, "it", true);
        CHECK(!strstr(value, "elided") && nds_run_set_global(run, "it", value));
        size_t size = strlen(value) + 3;
        char *arguments = malloc(size);
        snprintf(arguments, size, "[%s]", value);
        CHECK(nds_run_begin_call(run, "same", arguments) && nds_run_resume_call(run, 1000000) == NDS_OUTCOME_SOLVED);
        CHECK(is(nds_run_value(run, true), value));
        snprintf(arguments, size, "[%d]", deepest + 1);
        CHECK(nds_run_begin_call(run, "make", arguments) && nds_run_resume_call(run, 1000000) == NDS_OUTCOME_SOLVED);
        if (deepest == 128) CHECK(has(nds_run_value(run, true), "elided") && !nds_run_value(run, false));
        nds_free(value), free(arguments), nds_run_free(run);
    }
    nds_program_free(program);
    run = begin(engine, "var most = range(2000000), more = range(2100000);");
    CHECK(nds_run_resume(run, UINT64_MAX) == NDS_OUTCOME_SOLVED);
    char *most = nds_run_global(run, "most", false);
    CHECK(most && strlen(most) > 2000000);
    nds_free(most);
    CHECK(is(nds_run_global(run, "more", true), "{\"$\":\"elided\"}"));
    CHECK(!nds_run_global(run, "more", false) && strstr(nds_last_error(), "too large"));
    nds_run_free(run);
}

static void two(void *user_data, const NdsCall *call, const char *arguments) {
    (void)user_data, (void)arguments;
    CHECK(nds_call_charge(call, UINT64_MAX) && nds_call_charge(call, UINT64_MAX));
    CHECK(nds_call_return(call, "2"));
}

/* What an engine takes, and in whose words it refuses. */
static void engines(void) {
    static int number = 42;
    freed = 0;
    NdsEngine *engine = nds_engine_new();
    const char *names[] = {"if", "a b", "", "1a"};
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
        CHECK(!nds_engine_add_function(engine, names[at], 0, 0, two, &number, count_freed) && *nds_last_error());
        CHECK(freed == (int)at + 1);
    }
    CHECK(nds_engine_add_function(engine, "two", 0, 0, two, &number, count_freed) && freed == 4);
    CHECK(nds_engine_add_function(engine, "three", 0, 0, two, engine, uses_engine));
    NdsProgram *program = compile(engine, "return two();");
    CHECK(nds_engine_add_function(engine, "three", 0, 0, two, NULL, NULL));
    CHECK(nds_engine_add_function(engine, "two", 1, 1, two, NULL, NULL) && freed == 4);
    nds_program_free(program);
    CHECK(freed == 5 && has(nds_engine_check(engine, "t", "two();"), "`two`"));

    CHECK(!nds_engine_add_file(engine, "../x.nds", NULL, 0) && strstr(nds_last_error(), "../x.nds"));
    CHECK(!nds_engine_add_file(engine, "/x.nds", NULL, 0) && !nds_engine_add_file(engine, "", NULL, 0));

    /* Runs are sealed with the key. */
    uint8_t key[33] = "a secret of thirty-two bytes ...";
    CHECK(!nds_engine_set_save_key(engine, key, 31) && !nds_engine_set_save_key(engine, NULL, 32));
    CHECK(nds_engine_set_save_key(engine, key, 32));
    NdsEngine *stranger = nds_engine_new();
    for (int mine = 0; mine < 2; mine++) {
        NdsEngine *saver = mine ? engine : stranger;
        program = compile(saver, "return choose(1, 2);");
        NdsRun *run = nds_program_run(program, 1, NULL), *restored;
        size_t length;
        uint8_t *saved = nds_run_save(run, &length);
        restored = nds_engine_restore(saver, program, saved, length);
        CHECK(restored && !nds_engine_restore(mine ? stranger : engine, program, saved, length));
        CHECK(!strstr(nds_last_error(), "Engine::"));
        nds_free(saved), nds_run_free(run), nds_run_free(restored), nds_program_free(program);
    }
    nds_engine_free(stranger);

    CHECK(nds_engine_set_limit(engine, "source", 5));
    CHECK(!nds_engine_compile(engine, "t", "print('long');", NULL));
    CHECK(strstr(nds_last_error(), "the limit `source`") && !strstr(nds_last_error(), "Limits::"));
    CHECK(nds_engine_set_limit(engine, "source", 1000) && nds_engine_set_limit(engine, "memory", 100000));
    const char *reached[][2] = {{"var x; print(repeat('x', 1000000));", "\"limit\":\"memory\""}, {"var x;", ""}};
    NdsRun *run = begin(engine, reached[0][0]);
    CHECK(nds_run_resume(run, UINT64_MAX) == NDS_OUTCOME_LIMIT && has(nds_run_error(run), reached[0][1]));
    nds_run_free(run);
    run = begin(engine, reached[1][0]);
    CHECK(nds_run_resume(run, UINT64_MAX) == NDS_OUTCOME_SOLVED);
    char *large = malloc(400003);
    large[0] = '[';
    for (int at = 0; at < 200000; at++) memcpy(large + 1 + 2 * at, "1,", 2);
    memcpy(large + 400000, "]", 2);
    CHECK(!nds_run_set_global(run, "x", large) && strstr(nds_last_error(), "raise the limit `memory`"));
    free(large), nds_run_free(run), nds_engine_free(engine);
}

/* A saved run of another program, and of another engine. */
static void foreign_saves(NdsEngine *engine) {
    NdsEngine *other = nds_engine_new();
    NdsProgram *mine = compile(engine, "var x = choose(1, 2); return x;");
    NdsProgram *theirs = compile(other, "var x = choose(1, 2); return [x];");
    NdsRun *run = nds_program_run(mine, 1, NULL);
    CHECK(nds_run_resume(run, 1000) == NDS_OUTCOME_SOLVED);
    size_t length = 0;
    uint8_t *saved = nds_run_save(run, &length);
    CHECK(saved && !nds_engine_restore(other, theirs, saved, length) && *nds_last_error());
    for (size_t at = 0; at < length; at++) {
        saved[at] ^= 0x55;
        NdsRun *restored = nds_engine_restore(engine, mine, saved, length);
        if (restored) nds_run_resume(restored, 10000);
        nds_run_free(restored);
        saved[at] ^= 0x55;
        CHECK(!nds_engine_restore(engine, mine, saved, at));
    }
    nds_free(saved), nds_run_free(run), nds_program_free(mine), nds_program_free(theirs), nds_engine_free(other);
}

int main(void) {
    NdsEngine *engine = nds_engine_new();
    CHECK(engine && nds_version()[0]);
    values(engine);
    search(engine);
    mistakes(engine);
    host_functions();
    charged();
    alternatives();
    script_calls(engine);
    questions(engine);
    pictures(engine);
    threads(engine);
    saves(engine);
    hostile(engine);
    hostile_callbacks();
    hostile_values();
    places(engine);
    bounds(engine);
    engines();
    thread_ends(engine);
    foreign_saves(engine);
    nds_engine_free(engine);
    printf("all of the C test passed\n");
    return 0;
}
