/* Runs the programs of this folder through the library for C, and prints what every binding has to print. */
#include "../c/ndscript.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_line(const char *text) {
    for (; *text; text++) putchar(*text == '\n' ? '|' : *text);
    putchar('\n');
}

/* The message of an error, without its JSON. Messages here have no escapes but \" and \\. */
static void print_message(char *error) {
    char *from = strstr(error, "\"message\":\""), *to = error;
    for (from = from ? from + 11 : error; *from && *from != '"'; from++) {
        if (*from == '\\' && from[1]) from++;
        *to++ = *from;
    }
    *to = 0;
    print_line(error);
}

static int run_program(NdsEngine *engine, const char *name, const char *text, unsigned long long seeds) {
    NdsProgram *program = nds_engine_compile(engine, name, text, NULL);
    if (!program) {
        fprintf(stderr, "%s: %s\n", name, nds_last_error());
        return 1;
    }
    for (unsigned long long seed = 1; seed <= seeds; seed++) {
        NdsRun *run = nds_program_run(program, seed, NULL);
        NdsOutcome outcome;
        while ((outcome = nds_run_resume(run, 1000)) == NDS_OUTCOME_OUT_OF_FUEL) {}
        char *figures = nds_run_statistics(run);
        unsigned long long steps = strtoull(strstr(figures, "\"steps\":") + 8, NULL, 10);
        size_t pictures = outcome == NDS_OUTCOME_SOLVED ? nds_run_picture_count(run) : 0;
        const char *word = outcome == NDS_OUTCOME_SOLVED ? "solved" : outcome == NDS_OUTCOME_FAILED ? "failed" : "error";
        printf("%s %llu %s %llu %zu ", name, seed, word, steps, pictures);
        char *said = outcome == NDS_OUTCOME_SOLVED ? nds_run_text(run, NULL) : outcome == NDS_OUTCOME_ERROR ? nds_run_error(run) : NULL;
        if (outcome == NDS_OUTCOME_ERROR) print_message(said);
        else print_line(said ? said : "");
        nds_free(said), nds_free(figures);
        nds_run_free(run);
    }
    nds_program_free(program);
    return 0;
}

int main(int count, char **arguments) {
    FILE *file = count == 3 ? fopen(arguments[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "agreement PROGRAMS SEEDS\n");
        return 1;
    }
    static char all[1 << 16];
    all[fread(all, 1, sizeof all - 1, file)] = 0;
    fclose(file);
    NdsEngine *engine = nds_engine_new();
    int failed = 0;
    for (char *at = strstr(all, "=== "); at;) {
        char *name = at + 4, *text = strchr(name, '\n');
        *text++ = 0;
        char *next = strstr(text, "=== ");
        if (next) *next = 0;
        failed |= run_program(engine, name, text, strtoull(arguments[2], NULL, 10));
        at = next;
    }
    nds_engine_free(engine);
    return failed;
}
