// Builds the npm package of the engine into `dist/`: `node build.mjs [--quick]`.
//
// Needs Rust with the target wasm32-unknown-unknown (`rustup target add wasm32-unknown-unknown`). Debian's rustc-web,
// cargo-web, rust-web-src and lld-19 will do, too. They come without a standard library for that target, so it is built
// as well; only a nightly compiler, or RUSTC_BOOTSTRAP, allows that.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { signaturesOf } from "./signatures.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const target = "wasm32-unknown-unknown";
const profile = process.argv.includes("--quick") ? "web-quick" : "web";
const targetDirectory = join(root, "target/web");
const dist = join(here, "dist");

/** The compiler for the target: its cargo, more words for it, and its environment. */
function toolchain() {
    const libraries = output("rustc", "--print", "target-libdir", "--target", target);
    if (libraries && existsSync(libraries)) return { cargo: "cargo", words: [], environment: {} };
    if (existsSync("/usr/bin/cargo") && existsSync("/usr/bin/wasm-ld-19")) {
        const words = [
            "-Z", "build-std=std,panic_abort",
            // Sorts and numbers as text of the standard library, in the code that is smallest.
            "-Z", "build-std-features=optimize_for_size",
            "--config", `target.${target}.linker="/usr/bin/wasm-ld-19"`,
            // What a panic says is written to nowhere in a browser, so that nothing of it is put into the engine.
            "--config", `target.${target}.rustflags=["-Zunstable-options", "-Cpanic=immediate-abort"]`,
        ];
        return { cargo: "/usr/bin/cargo", words, environment: { RUSTC: "/usr/bin/rustc", RUSTC_BOOTSTRAP: "1" } };
    }
    console.error(`There is no Rust for ${target}: run \`rustup target add ${target}\`.`);
    process.exit(1);
}

/** What a command prints; nothing where it cannot run. */
function output(command, ...words) {
    try {
        return execFileSync(command, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
    } catch {
        return "";
    }
}

async function run(command, words, environment = {}) {
    const child = spawn(command, words, { cwd: root, stdio: "inherit", env: { ...process.env, ...environment } });
    const code = await new Promise((resolve, reject) => child.on("exit", resolve).on("error", reject));
    if (code !== 0) throw new Error(`${command} ${words.join(" ")} has failed`);
}

const { cargo, words, environment } = toolchain();
const native = environment.RUSTC ? { RUSTC: environment.RUSTC } : {};
// The one is linked on one core, while the other is compiled on the next.
await Promise.all([
    run(cargo, ["build", "--locked", "-p", "ndscript-web", "--profile", profile, "--target", target, "--target-dir", targetDirectory, ...words], environment),
    run(cargo, ["build", "--quiet", "--locked", "--manifest-path", join(here, "bindgen/Cargo.toml"), "--target-dir", join(targetDirectory, "bindgen")], native),
]);

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
await run(join(targetDirectory, "bindgen/debug/bindgen"), [join(targetDirectory, target, profile, "ndscript_web.wasm"), dist]);
for (const file of ["index.js", "index.d.ts", "guard.js"]) copyFileSync(join(here, file), join(dist, file));
const signatures = signaturesOf(readFileSync(join(dist, "ndscript.d.ts"), "utf8"));
writeFileSync(join(dist, "signatures.js"), `export const SIGNATURES = ${JSON.stringify(signatures)};\n`);

const engine = join(dist, "ndscript_bg.wasm");
const bytes = readFileSync(engine);
const kib = (length) => `${Math.ceil(length / 1024)} KiB`;
console.log(`${engine}: ${kib(bytes.length)}, ${kib(gzipSync(bytes, { level: 9 }).length)} by gzip, ${kib(brotliCompressSync(bytes).length)} by brotli`);
