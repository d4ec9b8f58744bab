// NDScript for C#: this file over the library of bindings/c. Values go as JSON, grids as integers. Texts of C# that are no
// texts, with half of a pair of surrogates, arrive with U+FFFD in its place.

using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace NdScript
{
    /// <summary>What goes wrong with a program or a run; for mistakes of a program <see cref="Diagnostics"/> has all of them
    /// as JSON.</summary>
    public sealed class NdsException : Exception
    {
        public string Diagnostics { get; private set; }
        internal NdsException(string message, string diagnostics = null) : base(message) { Diagnostics = diagnostics; }
    }

    /// <summary>Why <see cref="Run.Resume"/> returned.</summary>
    public enum Outcome { Invalid, Solved, OutOfFuel, Asked, Failed, Error, Limit }

    /// <summary>A function of the host. It gets its arguments as a JSON array and answers by <paramref name="call"/>; an
    /// exception is an error of the script.</summary>
    public delegate void HostFunction(HostCall call, string arguments);

    /// <summary>A function of the host that makes alternatives one by one: it returns the one with a number, counted from 0, by
    /// <paramref name="call"/>, or nothing if there are no more.</summary>
    public delegate void HostAlternative(HostCall call, string arguments, ulong number);

    /// <summary>A call of a host function, while it lasts. Later its methods throw.</summary>
    public sealed class HostCall
    {
        IntPtr call;
        internal HostCall(IntPtr call) { this.call = call; }
        internal void End() { call = IntPtr.Zero; }

        /// <summary>Sets the result, as JSON.</summary>
        public void Return(string value) { Native.Check(Native.nds_call_return(call, Native.Bytes(value))); }

        /// <summary>Makes the result a choice of the script, of the elements of a JSON array.</summary>
        public void Choices(string alternatives, bool ordered = true)
        {
            Native.Check(Native.nds_call_choices(call, Native.Bytes(alternatives), ordered));
        }

        /// <summary>Charges steps for what was worked.</summary>
        public void Charge(ulong steps) { Native.Check(Native.nds_call_charge(call, steps)); }
    }

    /// <summary>Compiles programs, and holds what they may use.</summary>
    public sealed class Engine : IDisposable
    {
        internal readonly EngineHandle Handle = Native.nds_engine_new();

        /// <summary>Sets a limit: steps, memory, depth, output, pictures, pictureCells, source or milliseconds.</summary>
        public void SetLimit(string name, ulong limit)
        {
            Native.Check(Native.nds_engine_set_limit(Handle, Native.Bytes(name), limit));
        }

        /// <summary>Sets a key, 32 bytes, that the runs of programs which are compiled from now on are saved with, and that
        /// <see cref="Restore"/> asks for: for saved runs from strangers.</summary>
        public void SetSaveKey(byte[] key)
        {
            Native.Given(key, "key");
            Native.Check(Native.nds_engine_set_save_key(Handle, key, (UIntPtr)key.Length));
        }

        /// <summary>Adds a file to import, or the image of a tile (PNG).</summary>
        public void AddFile(string path, byte[] content)
        {
            Native.Given(content, "content");
            Native.Check(Native.nds_engine_add_file(Handle, Native.Bytes(path), content, (UIntPtr)content.Length));
        }

        /// <summary>Adds a function, which programs that are compiled from now on can call, in place of one with its
        /// name.</summary>
        public void AddFunction(string name, HostFunction function, uint least = 0, int most = -1)
        {
            Native.Given(function, "function");
            var bytes = Native.Bytes(name);
            Native.Check(Native.nds_engine_add_function(
                Handle, bytes, least, most, Native.Called, Native.Kept(function), Native.Freed));
        }

        /// <summary>Adds a function whose result is a choice of the script, among alternatives that are made when the search
        /// asks for them. Runs and their clones ask for the same numbers again: so what it returns must follow from arguments
        /// and number alone.</summary>
        public void AddAlternatives(string name, HostAlternative function, uint least = 0, int most = -1)
        {
            Native.Given(function, "function");
            var bytes = Native.Bytes(name);
            Native.Check(Native.nds_engine_add_alternatives(
                Handle, bytes, least, most, Native.Asked, Native.Kept(function), Native.Freed));
        }

        /// <summary>Compiles a program that messages call by a name.</summary>
        public Program Compile(string name, string text)
        {
            IntPtr diagnostics;
            var program = Native.nds_engine_compile(Handle, Native.Bytes(name), Native.Bytes(text), out diagnostics);
            var why = Native.LastError();
            var messages = Native.Taken(diagnostics);
            if (program.IsInvalid) throw new NdsException(why, messages);
            return new Program(program, messages);
        }

        /// <summary>All messages about a program, as a JSON array; nothing runs.</summary>
        public string Check(string name, string text)
        {
            return Native.Wanted(Native.nds_engine_check(Handle, Native.Bytes(name), Native.Bytes(text)));
        }

        /// <summary>What the word before a cursor, a place in bytes, may become: JSON with start and words.</summary>
        public string Complete(string text, int cursor)
        {
            return Native.Wanted(Native.nds_engine_complete(Handle, Native.Bytes(text), Native.Number(cursor, "cursor")));
        }

        /// <summary>All functions that programs can call, built-ins and those of the host, as a JSON array.</summary>
        public string Functions() { return Native.Wanted(Native.nds_engine_functions(Handle)); }

        /// <summary>The version of the engine.</summary>
        public static string Version { get { return Native.Text(Native.nds_version()); } }

        /// <summary>A run that was saved.</summary>
        public Run Restore(Program program, byte[] saved)
        {
            Native.Given(program, "program");
            Native.Given(saved, "saved");
            return new Run(Native.nds_engine_restore(Handle, program.Handle, saved, (UIntPtr)saved.Length));
        }

        public void Dispose() { Handle.Dispose(); }
    }

    /// <summary>A compiled program.</summary>
    public sealed class Program : IDisposable
    {
        internal readonly ProgramHandle Handle;

        /// <summary>What is allowed, but seldom meant, as a JSON array.</summary>
        public string Warnings { get; private set; }

        internal Program(ProgramHandle handle, string warnings) { Handle = handle; Warnings = warnings; }

        /// <summary>The names of the parameters that the program asks for, as a JSON array; null if it works some out as it
        /// runs.</summary>
        public string Parameters() { return Native.Wanted(Native.nds_program_parameters(Handle)); }

        /// <summary>Begins a run; parameters are a JSON object with a field for each.</summary>
        public Run Run(ulong seed, string parameters = null)
        {
            return new Run(Native.nds_program_run(Handle, seed, Native.Bytes(parameters)));
        }

        public void Dispose() { Handle.Dispose(); }
    }

    /// <summary>A grid as integers, row by row.</summary>
    public sealed class Grid
    {
        public readonly int Width, Height;
        public readonly long[] Cells;
        internal Grid(int width, int height, long[] cells) { Width = width; Height = height; Cells = cells; }

        public long this[int x, int y]
        {
            get
            {
                if (x < 0 || x >= Width || y < 0 || y >= Height) throw new ArgumentOutOfRangeException(x < 0 || x >= Width ? "x" : "y");
                return Cells[y * Width + x];
            }
        }
    }

    /// <summary>A search: resumed with fuel, it yields solutions one after another.</summary>
    public sealed class Run : IDisposable
    {
        readonly RunHandle handle;

        internal Run(RunHandle handle)
        {
            if (handle.IsInvalid) throw new NdsException(Native.LastError());
            this.handle = handle;
        }

        /// <summary>Goes on for at most so many steps: what fits into a frame.</summary>
        public Outcome Resume(ulong fuel) { return Known(Native.nds_run_resume(handle, fuel)); }

        /// <summary>The value of the latest solution or result of a call, as JSON.</summary>
        public string Value(bool lossless = false) { return Native.Wanted(Native.nds_run_value(handle, lossless)); }

        /// <summary>What was printed for it, or before a question.</summary>
        public string Text()
        {
            UIntPtr length;
            return Encoding.UTF8.GetString(Native.TakenBytes(Native.nds_run_text(handle, out length), length));
        }

        /// <summary>The latest question as JSON, with prompt and options; null if there is none.</summary>
        public string Question() { return Native.WantedIfAny(Native.nds_run_question(handle)); }

        /// <summary>Answers it with the number of an option, from 0.</summary>
        public bool Answer(int option) { return option >= 0 && Native.nds_run_answer(handle, (UIntPtr)option); }

        /// <summary>Answers it with a line.</summary>
        public bool Answer(string line) { return Native.nds_run_answer_text(handle, Native.Bytes(line)); }

        /// <summary>What the run has done so far, as JSON: steps, failures, choicePoints, openChoices and memory.</summary>
        public string Statistics() { return Native.Wanted(Native.nds_run_statistics(handle)); }

        /// <summary>The latest error as JSON with message, place, hints and rendered; null if there is none.</summary>
        public string Error() { return Native.WantedIfAny(Native.nds_run_error(handle)); }

        /// <summary>What the latest failure said that said anything, as "fail" and "require" can; null if none did.</summary>
        public string FailureMessage() { return Native.WantedIfAny(Native.nds_run_failure_message(handle)); }

        /// <summary>The calls that the run is in, innermost first, at most so many, as a JSON array.</summary>
        public string Calls(int most = 10) { return Native.Wanted(Native.nds_run_calls(handle, Native.Number(most, "most"))); }

        /// <summary>All global variables that have a value, as a JSON object.</summary>
        public string Globals(bool lossless = false) { return Native.Wanted(Native.nds_run_globals(handle, lossless)); }

        /// <summary>A global variable as it is now, as JSON.</summary>
        public string Global(string name, bool lossless = false)
        {
            return Native.Wanted(Native.nds_run_global(handle, Native.Bytes(name), lossless));
        }

        public void SetGlobal(string name, string value)
        {
            Native.Check(Native.nds_run_set_global(handle, Native.Bytes(name), Native.Bytes(value)));
        }

        /// <summary>A grid as integers; with values, a JSON array, a cell is the index of its value, or -1.</summary>
        public Grid Grid(string name, string values = null)
        {
            UIntPtr width, height;
            var pointer = Native.nds_run_grid(handle, Native.Bytes(name), Native.Bytes(values), -1, out width, out height);
            if (pointer == IntPtr.Zero) throw new NdsException(Native.LastError());
            var cells = new long[(int)width * (int)height];
            Marshal.Copy(pointer, cells, 0, cells.Length);
            Native.nds_free(pointer);
            return new Grid((int)width, (int)height, cells);
        }

        public int PictureCount { get { return (int)Native.Counted(Native.nds_run_picture_count(handle)); } }

        /// <summary>What a picture shows, in words.</summary>
        public string PictureWords(int picture) { return Native.Wanted(Native.nds_run_picture_words(handle, Native.Number(picture, "picture"))); }

        /// <summary>Before which byte of the text, as UTF-8, a picture stands.</summary>
        public int PictureOffset(int picture)
        {
            return (int)Native.Counted(Native.nds_run_picture_offset(handle, Native.Number(picture, "picture")));
        }

        /// <summary>A picture as the bytes of a PNG file: for Texture2D.LoadImage.</summary>
        public byte[] Png(int picture, uint tileSize = 0)
        {
            UIntPtr length;
            return Native.TakenBytes(Native.nds_run_picture_png(handle, Native.Number(picture, "picture"), tileSize, out length), length);
        }

        /// <summary>Begins a call of a function of the script; arguments are a JSON array.</summary>
        public void BeginCall(string function, string arguments = null)
        {
            Native.Check(Native.nds_run_begin_call(handle, Native.Bytes(function), Native.Bytes(arguments)));
        }

        /// <summary>
        /// Calls a function of numbers whose result is a number, without JSON: for calls by the thousand. At
        /// <see cref="Outcome.Solved"/> the call has ended; otherwise it is there as after <see cref="ResumeCall"/>.
        /// </summary>
        public Outcome CallNumbers(string function, ulong fuel, out double result, params double[] numbers)
        {
            result = 0;
            Native.Given(numbers, "numbers");
            return Known(Native.nds_run_call_numbers(handle, Native.Bytes(function), numbers, (UIntPtr)numbers.Length, fuel, ref result));
        }

        /// <summary>
        /// Goes on with the call for at most so many steps. At <see cref="Outcome.Limit"/> it stands still, and can go on as a run can.
        /// </summary>
        public Outcome ResumeCall(ulong fuel) { return Known(Native.nds_run_resume_call(handle, fuel)); }

        /// <summary>Ends the call; at a result its effects stay, unless they are to be undone.</summary>
        public void EndCall(bool undo = false) { Native.Check(Native.nds_run_end_call(handle, undo)); }

        /// <summary>A run of its own that goes on from the same state.</summary>
        public Run Clone() { return new Run(Native.nds_run_clone(handle)); }

        /// <summary>The state of the run, for <see cref="Engine.Restore"/>.</summary>
        public byte[] Save()
        {
            UIntPtr length;
            return Native.TakenBytes(Native.nds_run_save(handle, out length), length);
        }

        /// <summary>Stops the run, from any thread.</summary>
        public void Cancel() { Native.Check(Native.nds_run_cancel(handle)); }

        /// <summary>Takes a cancellation back: the run can go on.</summary>
        public void Uncancel() { Native.Check(Native.nds_run_uncancel(handle)); }

        public void Dispose() { handle.Dispose(); }

        static Outcome Known(int outcome)
        {
            if (outcome == 0) throw new NdsException(Native.LastError());
            return (Outcome)outcome;
        }
    }

    sealed class EngineHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        EngineHandle() : base(true) { }
        protected override bool ReleaseHandle() { Native.nds_engine_free(handle); return true; }
    }

    sealed class ProgramHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        ProgramHandle() : base(true) { }
        protected override bool ReleaseHandle() { Native.nds_program_free(handle); return true; }
    }

    sealed class RunHandle : SafeHandleZeroOrMinusOneIsInvalid
    {
        RunHandle() : base(true) { }
        protected override bool ReleaseHandle() { Native.nds_run_free(handle); return true; }
    }

    /// <summary>Tells IL2CPP that a static method is called from outside; it goes by the name.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { }
    }

    static class Native
    {
        const string Library = "ndscript_c";

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void FunctionPointer(IntPtr userData, IntPtr call, IntPtr arguments);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void AlternativePointer(IntPtr userData, IntPtr call, IntPtr arguments, ulong number);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void FreePointer(IntPtr userData);

        // Static, so that they live as long as the process, and that IL2CPP can compile them ahead.
        internal static readonly FunctionPointer Called = CallHost;
        internal static readonly AlternativePointer Asked = AskHost;
        internal static readonly FreePointer Freed = FreeHost;

        // The library frees the handle, also if it fails: after the last run that needs the function.
        internal static IntPtr Kept(Delegate function) { return GCHandle.ToIntPtr(GCHandle.Alloc(function)); }

        [MonoPInvokeCallback(typeof(FunctionPointer))]
        static void CallHost(IntPtr userData, IntPtr call, IntPtr arguments)
        {
            Answer(call, handed => ((HostFunction)GCHandle.FromIntPtr(userData).Target)(handed, Text(arguments)));
        }

        [MonoPInvokeCallback(typeof(AlternativePointer))]
        static void AskHost(IntPtr userData, IntPtr call, IntPtr arguments, ulong number)
        {
            Answer(call, handed => ((HostAlternative)GCHandle.FromIntPtr(userData).Target)(handed, Text(arguments), number));
        }

        static void Answer(IntPtr call, Action<HostCall> function)
        {
            // No exception may run through the library, and nobody may use the call when it is over.
            var handed = new HostCall(call);
            try
            {
                function(handed);
            }
            catch (Exception why)
            {
                nds_call_fail(call, Bytes(InWords(why)));
            }
            handed.End();
        }

        // The message is code of whoever wrote the exception.
        static string InWords(Exception why)
        {
            try { return why.Message.Replace("\0", ""); }
            catch (Exception) { return why.GetType().Name; }
        }

        [MonoPInvokeCallback(typeof(FreePointer))]
        static void FreeHost(IntPtr userData) { GCHandle.FromIntPtr(userData).Free(); }

        internal static byte[] Bytes(string text)
        {
            if (text == null) return null;
            if (text.IndexOf('\0') >= 0) throw new ArgumentException("a text for the library holds no zero character");
            return Encoding.UTF8.GetBytes(text + "\0");
        }

        internal static string Text(IntPtr pointer)
        {
            int length = 0;
            while (Marshal.ReadByte(pointer, length) != 0) length++;
            var bytes = new byte[length];
            Marshal.Copy(pointer, bytes, 0, length);
            return Encoding.UTF8.GetString(bytes);
        }

        internal static string LastError() { return Text(nds_last_error()); }

        internal static void Check(bool done) { if (!done) throw new NdsException(LastError()); }

        internal static string Taken(IntPtr pointer)
        {
            if (pointer == IntPtr.Zero) return null;
            var text = Text(pointer);
            nds_free(pointer);
            return text;
        }

        internal static string Wanted(IntPtr pointer)
        {
            if (pointer == IntPtr.Zero) throw new NdsException(LastError());
            return Taken(pointer);
        }

        // Not every result is there; without one there is an error only if something has failed.
        internal static string WantedIfAny(IntPtr pointer)
        {
            if (pointer == IntPtr.Zero) Check(LastError() == "");
            return Taken(pointer);
        }

        // Zero is a number, too.
        internal static UIntPtr Counted(UIntPtr number)
        {
            if (number == UIntPtr.Zero) Check(LastError() == "");
            return number;
        }

        internal static UIntPtr Number(int number, string name)
        {
            if (number < 0) throw new ArgumentOutOfRangeException(name);
            return (UIntPtr)(uint)number;
        }

        internal static void Given(object value, string name) { if (value == null) throw new ArgumentNullException(name); }

        internal static byte[] TakenBytes(IntPtr pointer, UIntPtr length)
        {
            if (pointer == IntPtr.Zero) throw new NdsException(LastError());
            var bytes = new byte[(int)length];
            Marshal.Copy(pointer, bytes, 0, bytes.Length);
            nds_free(pointer);
            return bytes;
        }

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_last_error();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_version();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void nds_free(IntPtr given);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern EngineHandle nds_engine_new();
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void nds_engine_free(IntPtr engine);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_engine_set_limit(EngineHandle engine, byte[] name, ulong limit);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_engine_set_save_key(EngineHandle engine, byte[] key, UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_engine_add_file(EngineHandle engine, byte[] path, byte[] content, UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_engine_add_function(EngineHandle engine, byte[] name, uint least, int most, FunctionPointer function, IntPtr userData, FreePointer free);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_engine_add_alternatives(EngineHandle engine, byte[] name, uint least, int most, AlternativePointer function, IntPtr userData, FreePointer free);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern ProgramHandle nds_engine_compile(EngineHandle engine, byte[] name, byte[] program, out IntPtr diagnostics);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_engine_check(EngineHandle engine, byte[] name, byte[] program);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_engine_complete(EngineHandle engine, byte[] program, UIntPtr cursor);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_engine_functions(EngineHandle engine);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern RunHandle nds_engine_restore(EngineHandle engine, ProgramHandle program, byte[] saved, UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void nds_program_free(IntPtr program);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_program_parameters(ProgramHandle program);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern RunHandle nds_program_run(ProgramHandle program, ulong seed, byte[] parameters);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern void nds_run_free(IntPtr run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_cancel(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_uncancel(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int nds_run_resume(RunHandle run, ulong fuel);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern RunHandle nds_run_clone(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_value(RunHandle run, [MarshalAs(UnmanagedType.I1)] bool lossless);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_text(RunHandle run, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_question(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_answer(RunHandle run, UIntPtr option);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_answer_text(RunHandle run, byte[] line);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_error(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_failure_message(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_calls(RunHandle run, UIntPtr most);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_globals(RunHandle run, [MarshalAs(UnmanagedType.I1)] bool lossless);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_global(RunHandle run, byte[] name, [MarshalAs(UnmanagedType.I1)] bool lossless);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_set_global(RunHandle run, byte[] name, byte[] value);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_grid(RunHandle run, byte[] name, byte[] values, long other, out UIntPtr width, out UIntPtr height);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_statistics(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr nds_run_picture_count(RunHandle run);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern UIntPtr nds_run_picture_offset(RunHandle run, UIntPtr picture);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_picture_words(RunHandle run, UIntPtr picture);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_picture_png(RunHandle run, UIntPtr picture, uint tileSize, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int nds_run_call_numbers(RunHandle run, byte[] function, double[] numbers, UIntPtr count, ulong fuel, ref double result);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_begin_call(RunHandle run, byte[] function, byte[] arguments);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern int nds_run_resume_call(RunHandle run, ulong fuel);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_run_end_call(RunHandle run, [MarshalAs(UnmanagedType.I1)] bool undo);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] internal static extern IntPtr nds_run_save(RunHandle run, out UIntPtr length);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_call_return(IntPtr call, byte[] value);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_call_choices(IntPtr call, byte[] alternatives, [MarshalAs(UnmanagedType.I1)] bool ordered);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_call_fail(IntPtr call, byte[] message);
        [DllImport(Library, CallingConvention = CallingConvention.Cdecl)] [return: MarshalAs(UnmanagedType.I1)] internal static extern bool nds_call_charge(IntPtr call, ulong steps);
    }
}
