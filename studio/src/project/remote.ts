// Texts from other places, which a link asks for by `#url=`. What goes wrong is said so that a person can do something about it.
import { MOST_BYTES, readAtMost } from "./share";

/** A text, and the name of its file. Throws what is wrong, as sentences. */
export async function remoteText(url: string): Promise<{ path: string, text: string }> {
    const address = addressOf(url);
    const fail = (why: string): never => {
        throw new Error(`The program could not be loaded from ${address?.href ?? url}: ${why}`);
    };
    if (!address) return fail("that is no address. One begins with https://.");
    // The page's policy would refuse it without a word.
    if (address.protocol !== "https:" && address.origin !== location.origin) return fail("only what begins with https:// is loaded from other places.");
    const response = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" }).catch(() => undefined);
    const byHand = "Open the address in a browser, save what it shows, and drop that file onto this page.";
    if (!response) {
        return fail(navigator.onLine ? `there is no answer. The place cannot be reached, or does not let other pages read it (CORS). ${byHand}`
            : "this device is offline. Load the page again when it is not.");
    }
    if (!response.ok) return fail(`the place answers ${response.status}${response.status === 404 ? ", so that there is nothing of this name" : ""}. Look whether the address is right.`);
    const text = response.body ? await readAtMost(response.body, MOST_BYTES).catch(() => undefined) : "";
    if (text === undefined) return fail(`it is larger than ${MOST_BYTES >> 20} MB, or broke off.`);
    if (/^\s*<(!doctype|html)\b/i.test(text)) return fail("that is a web page and no program. Many places have an address of their own for the raw text.");
    if (text.includes("\0")) return fail("it is no text.");
    return { path: address.pathname.split("/").at(-1) || "program.nds", text };
}

function addressOf(url: string): URL | undefined {
    try {
        return new URL(url, location.href);
    } catch {
        return undefined;
    }
}
