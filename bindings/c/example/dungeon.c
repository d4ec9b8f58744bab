/* A dungeon whose floor is connected, with a way from the door to the treasure; and a function of the host that the
 * script asks for its numbers. Writes dungeon.png.
 *
 * cc dungeon.c -L ../../../target/release -lndscript_c -o dungeon && ./dungeon 7
 */
#include "../ndscript.h"

#include <stdio.h>
#include <stdlib.h>

static const char *SCRIPT =
    "var cave = makeGrid(16, 6, setOf(' ', '#'));\n"
    "exactly(cave, floorCells(), ' ');\n"
    "connected(cave, ' ');\n"
    "reachable(cave, ' ', position(0, 2), position(15, 4));\n"
    "decide(cave);\n"
    "printTilemap(mapGrid(cave, cell => singletonValue(cell) == '#' ? 'dimgray' : 'tan'));\n";

static void floor_cells(void *user_data, const NdsCall *call, const char *arguments) {
    char answer[20];
    (void)arguments;
    snprintf(answer, sizeof answer, "%d", *(int *)user_data);
    nds_call_return(call, answer);
}

int main(int count, char **arguments) {
    int cells = 40;
    NdsEngine *engine = nds_engine_new();
    nds_engine_add_function(engine, "floorCells", 0, 0, floor_cells, &cells, NULL);
    NdsProgram *program = nds_engine_compile(engine, "dungeon.nds", SCRIPT, NULL);
    if (!program) {
        fprintf(stderr, "%s\n", nds_last_error());
        return 1;
    }
    NdsRun *run = nds_program_run(program, count > 1 ? strtoull(arguments[1], NULL, 10) : 1, NULL);
    NdsOutcome outcome;
    /* A game would draw a frame between two slices. */
    while ((outcome = nds_run_resume(run, 10000)) == NDS_OUTCOME_OUT_OF_FUEL) {}
    if (outcome != NDS_OUTCOME_SOLVED) {
        char *error = nds_run_error(run);
        fprintf(stderr, "%s\n", error ? error : "there is no such dungeon");
        return 1;
    }
    size_t width, height, length;
    int64_t *map = nds_run_grid(run, "cave", "[\" \", \"#\"]", -1, &width, &height);
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) putchar(map[y * width + x] ? '#' : ' ');
        putchar('\n');
    }
    nds_free(map);
    uint8_t *png = nds_run_picture_png(run, 0, 16, &length);
    FILE *file = png ? fopen("dungeon.png", "wb") : NULL;
    if (!file || fwrite(png, 1, length, file) != length || fclose(file) != 0) {
        fprintf(stderr, "dungeon.png is not written: %s\n", nds_last_error());
        return 1;
    }
    printf("wrote dungeon.png, %zu bytes\n", length);
    nds_free(png);
    nds_run_free(run);
    nds_program_free(program);
    nds_engine_free(engine);
    return 0;
}
