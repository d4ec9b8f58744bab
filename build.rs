//! Generates the parser from `grammar/ndscript.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=grammar");
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR"))
        .process()
        .expect("the grammar is without conflicts");
    fix_addresses();
}

/// Lets the linker fix the addresses inside the command, where it can: its tables of pointers are then pages of the
/// file, and need not be written anew at each start, which took a tenth of it. The stack, the heap and the libraries
/// still lie at random addresses; the command itself has no unsafe code.
fn fix_addresses() {
    let target = |name: &str| std::env::var(name).unwrap_or_default();
    let is_glibc = target("CARGO_CFG_TARGET_OS") == "linux" && target("CARGO_CFG_TARGET_ENV") == "gnu";
    let is_static = target("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    if is_glibc && !is_static && std::env::var_os("CARGO_FEATURE_CLI").is_some() {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
