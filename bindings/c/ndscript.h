/* NDScript for C. This file is made by `cargo run --manifest-path bindings/c/header/Cargo.toml`.
 *
 * Rules for all functions:
 *
 * - Texts are UTF-8 and end in a zero byte. Handles and texts may be NULL only where it says so; NULL elsewhere is no
 *   crash but a failure.
 * - A function that fails returns NULL, false, 0 or NDS_OUTCOME_INVALID; nds_last_error() says in words why. Where NULL or
 *   0 is no failure, nds_last_error() is empty after it.
 * - Places for results, such as `size_t *length`, hold NULL or 0 after a failure. They may be NULL where it says so.
 * - Whatever a function returns as `char *`, and bytes, are given back with nds_free. Handles have a function to free
 *   each. A handle must not be used after that. Programs do not need their engine any more, nor runs their program.
 * - Handles may go from thread to thread. Two calls with one run at the same time do no harm: the second one fails
 *   and says that the run is busy; so does a host function that uses the run that calls it. What may really go on in
 *   another thread at the same time is nds_run_cancel.
 * - A thread that uses the library needs 512 KB of stack (a debug build needs more).
 * - No Rust panic crosses the border. A host function must not throw or jump through it either.
 */

#ifndef NDSCRIPT_H
#define NDSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 Why nds_run_resume or nds_run_resume_call returned.
 */
typedef enum {
  /*
   The call itself was wrong: nds_last_error says how.
   */
  NDS_OUTCOME_INVALID = 0,
  /*
   A solution was found, or a result of a call; resuming looks for the next one.
   */
  NDS_OUTCOME_SOLVED = 1,
  /*
   The fuel is used up; resuming goes on.
   */
  NDS_OUTCOME_OUT_OF_FUEL = 2,
  /*
   The program asks a person; resuming goes on once the run has its answer.
   */
  NDS_OUTCOME_ASKED = 3,
  /*
   There are no more solutions, or results of a call.
   */
  NDS_OUTCOME_FAILED = 4,
  /*
   The script made an error: nds_run_error.
   */
  NDS_OUTCOME_ERROR = 5,
  /*
   A limit was reached, or the run was cancelled: nds_run_error.
   */
  NDS_OUTCOME_LIMIT = 6,
} NdsOutcome;

/*
 A call of a host function, while it lasts.
 */
typedef struct NdsCall NdsCall;

/*
 Compiles programs, and holds what they may use.
 */
typedef struct NdsEngine NdsEngine;

/*
 A compiled program. It never changes: several threads may use it at the same time.
 */
typedef struct NdsProgram NdsProgram;

/*
 A search: resumed with fuel, it yields solutions one after another.
 */
typedef struct NdsRun NdsRun;

/*
 A function of the host: gets its arguments as a JSON array in the lossless form, and says by nds_call_return,
 nds_call_choices or nds_call_fail what its result is; without any it is null. It is called in the thread that
 resumes the run, from several at once if several runs go on. `call` and `arguments` are gone when it returns.
 */
typedef void (*NdsFunction)(void *user_data, const NdsCall *call, const char *arguments);

/*
 Frees what a host function was given as its user data.
 */
typedef void (*NdsFreeUserData)(void *user_data);

/*
 A function of the host that makes alternatives one by one, when the search asks for them: gets the arguments as an
 NdsFunction does, and the number of the alternative, from 0. It says by nds_call_return which one that is, or by
 nds_call_fail what is wrong; without any of them there are no more. A search that goes back asks for the next number,
 and clones and restored runs ask for themselves: so what it gives must follow from arguments and number alone. It is
 called in the thread that resumes the run, from several at once if several runs go on.
 */
typedef void (*NdsAlternative)(void *user_data,
                               const NdsCall *call,
                               const char *arguments,
                               uint64_t number);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Why the latest call of a function of this library failed in this thread; empty if it did not. The text is there
 until the next call. Not to be freed.
 */
const char *nds_last_error(void);

/*
 The version of the engine. Not to be freed.
 */
const char *nds_version(void);

/*
 Gives back a text, or bytes, that a function of this library has returned. NULL is nothing. Any thread.
 */
void nds_free(void *given);

/*
 Lets a run stop at its next look at limits, with NDS_OUTCOME_LIMIT. From any thread, also while the run goes on. The
 run must not be freed meanwhile.
 */
bool nds_run_cancel(const NdsRun *run);

/*
 Takes a cancellation back: the run can go on, and so can a call that it was in. From any thread.
 */
bool nds_run_uncancel(const NdsRun *run);

/*
 An engine that allows nothing but computing.
 */
NdsEngine *nds_engine_new(void);

/*
 Frees an engine. Its programs and runs go on. NULL is nothing.
 */
void nds_engine_free(NdsEngine *engine);

/*
 Sets a limit for programs that are compiled from now on: "steps", "memory" (bytes), "depth", "output" (bytes),
 "pictures", "pictureCells", "source" (bytes) or "milliseconds".
 */
bool nds_engine_set_limit(const NdsEngine *engine,
                          const char *name,
                          uint64_t limit);

/*
 Sets a key, 32 bytes, that the runs of programs which are compiled from now on are saved with, and that
 nds_engine_restore asks for. Without a key restore only what comes from people whom you trust: anybody can make up a
 saved run whose values no program could reach.
 */
bool nds_engine_set_save_key(const NdsEngine *engine,
                             const uint8_t *key,
                             size_t length);

/*
 Adds a file, for `import` or as the image of a tile (PNG), in place of one with the same path: a relative path with
 `/` and without `..`, as programs name it.
 */
bool nds_engine_add_file(const NdsEngine *engine,
                         const char *path,
                         const uint8_t *content,
                         size_t length);

/*
 Adds a function that programs which are compiled from now on can call, with at least `least` and at most `most`
 arguments, or any number if `most` is negative. `free_user_data` may be NULL; it is called, from any thread, when no
 engine, program and run needs the function any more, and also if this fails. A function takes the place of an earlier
 one with its name.
 */
bool nds_engine_add_function(const NdsEngine *engine,
                             const char *name,
                             uint32_t least,
                             int32_t most,
                             NdsFunction function,
                             void *user_data,
                             NdsFreeUserData free_user_data);

/*
 Adds a function as nds_engine_add_function does, whose result is a choice of the script among alternatives that are made
 one by one. There may be no end to them. Nothing is kept between two of them but `user_data`, which all runs share.
 */
bool nds_engine_add_alternatives(const NdsEngine *engine,
                                 const char *name,
                                 uint32_t least,
                                 int32_t most,
                                 NdsAlternative function,
                                 void *user_data,
                                 NdsFreeUserData free_user_data);

/*
 Compiles a program that messages call by `name`. `diagnostics` may be NULL; otherwise it gets a JSON array of all
 errors, at least one, or of all warnings if there is a program, to be given back with nds_free.
 */
NdsProgram *nds_engine_compile(const NdsEngine *engine,
                               const char *name,
                               const char *program,
                               char **diagnostics);

/*
 What is wrong with a program, or may not be what is meant, as a JSON array; nothing runs.
 */
char *nds_engine_check(const NdsEngine *engine, const char *name, const char *program);

/*
 What the word before a cursor, a place in bytes, may become: JSON with `start`, where the word begins, and `words`.
 */
char *nds_engine_complete(const NdsEngine *engine,
                          const char *program,
                          size_t cursor);

/*
 All functions that programs can call, built-ins and those of the host, as a JSON array.
 */
char *nds_engine_functions(const NdsEngine *engine);

/*
 A run as nds_run_save has saved it, of the same program and with the same host functions; see
 nds_engine_set_save_key for runs that strangers have saved.
 */
NdsRun *nds_engine_restore(const NdsEngine *engine,
                           const NdsProgram *program,
                           const uint8_t *saved,
                           size_t length);

/*
 The cells of a grid in a global variable, row by row, as 64-bit integers; `width` and `height` get its size. A cell is
 its number, or the only candidate of a set of one. With `values`, a JSON array, a cell is the index of its value in
 that: so tiles become numbers. Whatever else a cell holds is `other`.
 */
int64_t *nds_run_grid(const NdsRun *run,
                      const char *name,
                      const char *values,
                      int64_t other,
                      size_t *width,
                      size_t *height);

/*
 Sets the result of a call of a host function, or the alternative that it was asked for, as JSON of either form. In the
 thread of the call, as all functions with a call.
 */
bool nds_call_return(const NdsCall *call,
                     const char *value);

/*
 Makes the result of a call of a host function a choice of the script: a JSON array of alternatives, which are tried in
 this order if `ordered`, and otherwise in an order that the run draws. Without any the call fails.
 */
bool nds_call_choices(const NdsCall *call,
                      const char *alternatives,
                      bool ordered);

/*
 Makes a call of a host function an error of the script, with a message: lower case, no full stop. It is an error, too,
 if there is something wrong with the message.
 */
bool nds_call_fail(const NdsCall *call,
                   const char *message);

/*
 Charges steps for what the host function has worked: they count for fuel and limits. Several charges add up, to
 UINT64_MAX at most.
 */
bool nds_call_charge(const NdsCall *call,
                     uint64_t steps);

/*
 How many pictures were printed for the latest solution or question, or later by a call: a call that prints none leaves
 those from before.
 */
size_t nds_run_picture_count(const NdsRun *run);

/*
 Before which byte of the text a picture stands. If there is no such picture, it is 0 and nds_last_error says so.
 */
size_t nds_run_picture_offset(const NdsRun *run,
                              size_t picture_number);

/*
 What a picture shows, in words.
 */
char *nds_run_picture_words(const NdsRun *run, size_t picture_number);

/*
 A picture as the bytes of a PNG file. `tile_size` is the width and height of a cell in pixels; with 0 the tiles of the
 map decide. `length` may be NULL.
 */
uint8_t *nds_run_picture_png(const NdsRun *run,
                             size_t picture_number,
                             uint32_t tile_size,
                             size_t *length);

/*
 Frees a program. Its runs go on. NULL is nothing.
 */
void nds_program_free(NdsProgram *program);

/*
 The names of the parameters that the program asks for, as a JSON array; null if it works some out as it runs.
 */
char *nds_program_parameters(const NdsProgram *program);

/*
 Begins a run. `parameters` is a JSON object with a field for each, or NULL; one that the program cannot ask for is a
 mistake. The same seed and the same parameters give the same run.
 */
NdsRun *nds_program_run(const NdsProgram *program,
                        uint64_t seed,
                        const char *parameters);

/*
 Frees a run. NULL is nothing. A run that is being resumed is not freed: nds_last_error says so then.
 */
void nds_run_free(NdsRun *run);

/*
 Goes on for at most so many steps. A call that the run is in ends before. Long work of a built-in goes in pieces of some
 65,536 steps, so it may be two of them more, some 131,000; what is charged by nds_call_charge comes on top.
 */
NdsOutcome nds_run_resume(const NdsRun *run,
                          uint64_t fuel);

/*
 A run of its own that goes on from the same state.
 */
NdsRun *nds_run_clone(const NdsRun *run);

/*
 The value of the latest solution, or of the latest result of a call, as JSON: in the lossless form, or plainly. A part
 that does not fit is `{"$":"elided"}` in the lossless form, and a failure in the plain one. That is a collection
 inside itself or nested more than 128 deep, and what lies beyond two million parts (elements, cells, fields and
 collections; a text counts as one for each 40 bytes; fewer where "memory" is less than 800 MB) or beyond 64 MB of
 JSON.
 */
char *nds_run_value(const NdsRun *run,
                    bool lossless);

/*
 What was printed for the latest solution, question or result of a call. `length` may be NULL; it gets the number of
 bytes, for texts that hold zero bytes.
 */
char *nds_run_text(const NdsRun *run,
                   size_t *length);

/*
 The latest question as JSON, with `prompt` and `options`, null for a free line; NULL, and no failure, if there is none.
 */
char *nds_run_question(const NdsRun *run);

/*
 Answers a question with the number of an option, counted from 0. Goes for questions of a call, too.
 */
bool nds_run_answer(const NdsRun *run, size_t option);

/*
 Answers a question that wants a line.
 */
bool nds_run_answer_text(const NdsRun *run, const char *line);

/*
 The latest error as JSON: `message`, `place` with `file`, `line` and `column`, `hints`, `calls`, and `rendered` for a
 terminal; for a limit `limit`, its name as in nds_engine_set_limit or "cancelled", and `message`. NULL, and no failure,
 if there is none.
 */
char *nds_run_error(const NdsRun *run);

/*
 What the latest failure said that said anything; NULL, and no failure, if none did.
 */
char *nds_run_failure_message(const NdsRun *run);

/*
 A global variable as it is now, as JSON, as nds_run_value gives it; a failure if there is none, or it has no value yet.
 */
char *nds_run_global(const NdsRun *run,
                     const char *name,
                     bool lossless);

/*
 All global variables that have a value as a JSON object, each as nds_run_value gives it.
 */
char *nds_run_globals(const NdsRun *run, bool lossless);

/*
 Sets a global variable, as JSON of either form. It is undone when the run goes back to an earlier guess.
 */
bool nds_run_set_global(const NdsRun *run,
                        const char *name,
                        const char *value);

/*
 The calls that the run is in, innermost first, at most so many, as a JSON array with `function` (null for the program
 itself), `place` and `variables` as text.
 */
char *nds_run_calls(const NdsRun *run,
                    size_t most);

/*
 What the run has done so far, as JSON: `steps`, `failures`, `choicePoints`, `openChoices` and `memory` (bytes).
 */
char *nds_run_statistics(const NdsRun *run);

/*
 The state of the run as bytes, for nds_engine_restore. A call that the run is in ends before. `length` gets their number,
 and may be NULL.
 */
uint8_t *nds_run_save(const NdsRun *run,
                      size_t *length);

/*
 Begins a call of a global function, or of a built-in, by its name. `arguments` is a JSON array of either form, or NULL
 for none. Nothing runs before nds_run_resume_call. A call before ends.
 */
bool nds_run_begin_call(const NdsRun *run,
                        const char *function,
                        const char *arguments);

/*
 Goes on with the call for at most so many steps: to its first result, or to the next one. Its value, text and
 pictures are those of the run then; if it printed no picture, the pictures before stay. The call may choose and fail; it
 never goes back into choices of the run. At NDS_OUTCOME_LIMIT it stands still, and can go on as a run can. Without a call
 it is NDS_OUTCOME_FAILED, as there are no more results.
 */
NdsOutcome nds_run_resume_call(const NdsRun *run,
                               uint64_t fuel);

/*
 Calls a function of numbers whose result is a number, without JSON: for calls by the thousand. It goes on to its first
 result, which `result` gets (it is 0 before), and the call ends; its effects stay. After any other outcome the call is there as after
 nds_run_resume_call, which goes on with it. A result that is no number is an error, and the call is undone.
 */
NdsOutcome nds_run_call_numbers(const NdsRun *run,
                                const char *function,
                                const double *numbers,
                                size_t count,
                                uint64_t fuel,
                                double *result);

/*
 Ends the call. At a result its effects stay, unless `undo`; elsewhere they are undone.
 */
bool nds_run_end_call(const NdsRun *run, bool undo);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* NDSCRIPT_H */
