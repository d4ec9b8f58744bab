/* What a call costs through the library for C. */
#include "../../bindings/c/ndscript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void twice(void *user_data, const NdsCall *call, const char *arguments) {
    char result[32];
    (void)user_data;
    snprintf(result, sizeof result, "%lld", 2 * strtoll(arguments + 1, NULL, 10));
    nds_call_return(call, result);
}

static void check(int holds) {
    if (holds) return;
    fprintf(stderr, "%s\n", nds_last_error());
    exit(1);
}

static long long call(NdsRun *run, const char *function, const char *arguments) {
    check(nds_run_begin_call(run, function, arguments));
    check(nds_run_resume_call(run, UINT64_MAX) == NDS_OUTCOME_SOLVED);
    char *value = nds_run_value(run, true);
    long long result = strtoll(value, NULL, 10);
    nds_free(value);
    nds_run_end_call(run, false);
    return result;
}

static void tell(const char *name, clock_t started, long long times) {
    printf("%s %.0f\n", name, (double)(clock() - started) * 1e9 / CLOCKS_PER_SEC / (double)times);
}

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "calls PROGRAM TIMES\n");
        return 1;
    }
    static char text[1 << 12];
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    long long times = strtoll(arguments[2], NULL, 10);
    NdsEngine *engine = nds_engine_new();
    check(nds_engine_add_function(engine, "twice", 1, 1, twice, NULL, NULL));
    NdsProgram *program = nds_engine_compile(engine, "calls.nds", text, NULL);
    check(program != NULL);
    NdsRun *run = nds_program_run(program, 1, NULL);
    check(nds_run_resume(run, UINT64_MAX) == NDS_OUTCOME_SOLVED);
    clock_t started = clock();
    for (long long i = 0; i < times; i++) check(call(run, "half", "[14]") == 7);
    tell("script", started, times);
    started = clock();
    const double half = 14;
    double result = 0;
    for (long long i = 0; i < times; i++) check(nds_run_call_numbers(run, "half", &half, 1, UINT64_MAX, &result) == NDS_OUTCOME_SOLVED);
    tell("numbers", started, times);
    char list[40];
    snprintf(list, sizeof list, "[%lld]", times);
    started = clock();
    check(call(run, "askHost", list) == times * (times - 1));
    tell("host", started, times);
    nds_run_free(run), nds_program_free(program), nds_engine_free(engine);
    return 0;
}
