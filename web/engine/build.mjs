// Builds the npm package of the engine into `dist/`: `node build.mjs [--quick]`.
//
// Needs Rust with the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`). Debian's rustc-web,
// cargo-web, rust-web-src and lld-19 will do, too: they come without a standard library for that target, so that it is
// built as well. Then it is built to be small, and the engine is smaller by a good part.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { alike } from "./layout/alike.mjs";
import { commonlyCalled } from "./layout/profile.mjs";
import { signaturesOf } from "./layout/signatures.mjs";
import { split, watched } from "./layout/split.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const target = "wasm32-unknown-unknown";
const quick = process.argv.includes("--quick");
const profile = quick ? "web-quick" : "web";
const targetDirectory = join(root, "target/web");
const dist = join(here, "dist");

/** So that it is known which function refers to which data (`layout/objects.mjs`). */
const TELLING = ["-Clink-arg=--emit-relocs"];
const SMALL = [
    // A panic is a defect of the engine. Nobody would hear what it says: there is no place for it to be written to.
    "-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none",
    // Next to nothing is put in where it is called, but for what says so. It is where programs spend their time that is
    // compiled to be fast, which takes less than to put little functions in everywhere.
    "-Cllvm-args=-inline-threshold=5",
    // What programs do most is compiled to be fast all the same: what has `optimize(speed)`.
    "--cfg=small_engine",
];

/** The compilers: how to build for the target, and how for this machine. */
function toolchain() {
    const says = (command, ...words) => {
        try {
            return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
        } catch {
            return "";
        }
    };
    const libraries = says("rustc", "--print", "target-libdir", "--target", target).trim();
    const flags = (...more) => quick ? {} : { CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS: [...TELLING, ...more].join(" ") };
    if (libraries && existsSync(libraries)) return { cargo: "cargo", words: [], environment: flags() };
    if (existsSync("/usr/bin/cargo") && existsSync("/usr/bin/wasm-ld-19")) {
        const words = [
            "-Z", "build-std=std,panic_abort", ...quick ? [] : ["-Z", "build-std-features=optimize_for_size"],
            "--config", `target.${target}.linker="/usr/bin/wasm-ld-19"`,
        ];
        return { cargo: "/usr/bin/cargo", words, environment: { RUSTC: "/usr/bin/rustc", RUSTC_BOOTSTRAP: "1", ...flags(...SMALL) } };
    }
    console.error(`There is no Rust for ${target}: run \`rustup target add ${target}\`.`);
    process.exit(1);
}

function run(command, words, environment = {}) {
    execFileSync(command, words, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } });
}

const { cargo, words, environment } = toolchain();
const directory = ["--target-dir", targetDirectory];
run(cargo, ["build", "--locked", "-p", "ndscript-web", "--profile", profile, "--target", target, ...directory, ...words], environment);
const bindgen = ["build", "--quiet", "--locked", "--manifest-path", join(here, "bindgen/Cargo.toml")];
const native = environment.RUSTC ? { RUSTC: environment.RUSTC } : {};
run(cargo, [...bindgen, "--target-dir", join(targetDirectory, "bindgen")], native);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const linked = join(targetDirectory, target, profile, "ndscript_web.wasm");
run(join(targetDirectory, "bindgen/debug/bindgen"), [linked, dist]);
copyFileSync(join(here, "index.js"), join(dist, "index.js"));
copyFileSync(join(here, "index.d.ts"), join(dist, "index.d.ts"));
copyFileSync(join(here, "guard.js"), join(dist, "guard.js"));
copyFileSync(join(here, "layout/tables.js"), join(dist, "tables.js"));
const signatures = signaturesOf(readFileSync(join(dist, "ndscript.d.ts"), "utf8"));
writeFileSync(join(dist, "signatures.js"), `export const SIGNATURES = ${JSON.stringify(signatures)};\n`);

const [first, rest] = ["ndscript_bg.wasm", "ndscript_rest.wasm"].map((name) => join(dist, name));
if (quick) {
    // All of it is in the first; the second is a module without anything in it.
    writeFileSync(rest, Buffer.from("\0asm\x01\0\0\0", "latin1"));
} else {
    const whole = alike(readFileSync(first));
    const load = (key) => import(`${pathToFileURL(join(dist, "ndscript.js")).href}?${key}`);
    const parts = split(whole, await commonlyCalled(load, watched(whole), root), readFileSync(linked));
    writeFileSync(first, parts.first);
    writeFileSync(rest, parts.rest);
    try {
        run(process.execPath, [join(here, "layout/suffices.mjs"), dist, root]);
    } catch {
        // It has said what is missing.
        process.exit(1);
    }
}
// What `build/sizes.mjs` holds the engine to.
writeFileSync(join(targetDirectory, "form"), quick ? "quick" : words.length > 0 ? "small" : "shipped library");
for (const file of [first, rest]) {
    const packed = gzipSync(readFileSync(file), { level: 9 }).length;
    console.log(`${file}: ${Math.ceil(statSync(file).size / 1024)} KiB, ${Math.ceil(packed / 1024)} KiB by gzip`);
}
