// Links that lead to nothing, or ask for what cannot be: what is wrong is said, and nobody's work gives way to them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fromMenu, keeps, outputOf, press, says, serve, soon, studioFile, until, useStudio, write } from "./browser.mjs";

const studio = useStudio();
const editor = (page) => page.getByRole("textbox", { name: "Program" });
const standing = (page) => page.getByRole("status").first().innerText();

describe("what cannot be opened", () => {
    for (const [fragment, said] of [
        ["#v1=garbage", /^The link is damaged: what it holds cannot be unpacked; perhaps a part of it is missing\. Copy the whole of it once more\. Here is your own work\.$/],
        ["#v1=%%%", /^The link is damaged: what it holds cannot be unpacked/],
        ["#v1=q1YqVrJSSlKyUkpTqgUA", /^The link is damaged/],
        ["#v2=abcd", /^The link is damaged: it is of the form v2, which this studio does not know\. .* Here is your own work\.$/],
        ["#example=tiles/nothing", /^The program could not be loaded: the gallery has no tiles\/nothing\. Here is your own work\.$/],
    ]) test(`one's own work stays where a link leads to nothing: ${fragment}`, () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"mine\");");
        await keeps(page, "mine");
        const address = page.url();
        await page.goto("about:blank");
        await page.goto(address + fragment);
        await says(page, said);
        await editor(page).getByText("mine").waitFor();
        // It goes on being kept.
        await write(page, "printLine(\"mine as before\");");
        await keeps(page, "mine as before");
        await page.goto("about:blank");
        await page.goto(address);
        await editor(page).getByText("mine as before").waitFor();
    }));

    test("who has no work yet has the program that everybody begins with", () => studio("#v1=garbage", async (page) => {
        await says(page, /^The link is damaged: .* Here is the program to begin with\.$/);
        await editor(page).getByText("printTilesetMap").first().waitFor();
        await soon.equal(() => outputOf(page).innerText(), "", "nothing runs");
    }));

    test("a page of a course does not show one's own work in place of a damaged program", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await write(page, "printLine(\"mine\");");
        await keeps(page, "mine");
        const address = page.url();
        await page.goto("about:blank");
        await page.goto(`${address}#embed&v1=garbage`);
        await says(page, /^The link is damaged: .* Here is the program to begin with\.$/);
        await soon.equal(() => page.getByRole("button", { name: "Gallery" }).isVisible(), false);
        await soon.equal(() => editor(page).getByText("mine").count(), 0);
    }));
});

describe("a text from elsewhere", () => {
    const PLACE = "https://elsewhere.test/maps/isle.nds";
    /** Opens a link to a text, which is answered so. */
    const asks = (url, answer, work) => studio("", async (page, context, _, problems) => {
        const address = page.url();
        await context.route("https://elsewhere.test/**", answer);
        await page.goto("about:blank");
        await page.goto(`${address}#url=${encodeURIComponent(url)}`);
        await work(page);
        const said = await standing(page);
        assert.doesNotMatch(said, /\.\.|Failed to fetch|: undefined/);
        // The browser notes each request that was in vain.
        problems.length = 0;
    });
    const headers = { "access-control-allow-origin": "*" };
    for (const [what, url, answer, said] of [
        ["no answer", PLACE, (route) => route.abort(), /^The program could not be loaded from https:\/\/elsewhere\.test\/maps\/isle\.nds: there is no answer\. The place cannot be reached, or does not let other pages read it \(CORS\)\. Open the address in a browser, save/],
        ["a place that does not allow it", PLACE, (route) => route.fulfill({ headers: { "access-control-allow-origin": "https://another.test" }, body: "print(1);" }), /isle\.nds: there is no answer\. The place cannot be reached, or does not let other pages read it \(CORS\)\./],
        ["nothing there", PLACE, (route) => route.fulfill({ status: 404, headers }), /isle\.nds: the place answers 404, so that there is nothing of this name\. Look whether the address is right\./],
        ["a server in trouble", PLACE, (route) => route.fulfill({ status: 503, headers }), /isle\.nds: the place answers 503\. Look/],
        ["a web page", PLACE, (route) => route.fulfill({ headers, body: "<!DOCTYPE html><title>isle.nds</title>" }), /isle\.nds: that is a web page and no program\./],
        ["what is no text", PLACE, (route) => route.fulfill({ headers, body: Buffer.from("a\0b") }), /isle\.nds: it is no text\./],
        ["another sort of address", "http://elsewhere.test/isle.nds", (route) => route.abort(), /from http:\/\/elsewhere\.test\/isle\.nds: only what begins with https:\/\/ is loaded from other places\./],
        ["no address", "https://", (route) => route.abort(), /from https:\/\/: that is no address\. One begins with https:\/\/\./],
    ]) test(`what is wrong with it is said, and what to do: ${what}`, () => asks(url, answer, async (page) => {
        await says(page, said);
        await says(page, /Here is (your own work|the program to begin with)\.$/);
    }));

    test("who is offline is told so", () => studio("", async (page, context, _, problems) => {
        const address = page.url();
        await context.route("https://elsewhere.test/**", (route) => route.abort());
        await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { value: false }));
        await page.goto("about:blank");
        await page.goto(`${address}#url=${PLACE}`);
        await says(page, /isle\.nds: this device is offline\. Load the page again when it is not\./);
        problems.length = 0;
    }));

    test("it is shown where it comes", () => asks(PLACE, (route) => route.fulfill({ headers, body: "printLine(\"an isle\");" }), async (page) => {
        await says(page, /^Press Run/);
        await editor(page).getByText("an isle").waitFor();
        await page.getByRole("tab", { name: "isle.nds" }).waitFor();
    }));
});

describe("what is passed over", () => {
    for (const [fragment, said] of [
        ["#embed&lock=abc&example=tiles/map", /^The link locks abc, which are no lines: they are written as lock=1-5,9\.$/],
        ["#embed&lock=0,3-2,1-99999999999&example=tiles/map", /^The link locks 0, 3-2, which are no lines/],
        ["#exmaple=tiles/map", /^The link asks for exmaple, which this studio does not know\.$/],
        ["#embed&lock=1-2&example=tiles/map", /^Press Run/],
        ["#%", /^The link asks for %, which this studio does not know\.$/],
        ["#nothing", /^The link asks for nothing, which this studio does not know\.$/],
        ["#editor", /^Solution 1/],
    ]) test(`it is said: ${fragment}`, () => studio(fragment, async (page) => {
        await says(page, said);
        if (fragment.includes("=tiles/map") && fragment.includes("example")) await editor(page).getByText("Tiles: sand").first().waitFor();
    }));

    test("lines that are none are said where a link is made", () => studio("", async (page) => {
        await says(page, /^Solution 1/);
        await press(page, "Share");
        await page.getByRole("textbox", { name: "Lines of the program" }).fill("1-2, abc");
        await page.getByText("No lines: abc. Lines are written as 1-5, 9.").waitFor();
        await soon.match(() => page.getByRole("textbox", { name: "For a page of yours" }).inputValue(), /lock=1-2&/);
        await page.getByRole("textbox", { name: "Lines of the program" }).fill("1-2");
        await page.getByText(/^No lines/).waitFor({ state: "hidden" });
    }));
});

test("a gallery that does not come is said so, and comes when it can", () => studio("", async (page, context, _, problems) => {
    await says(page, /^Solution 1/);
    const missing = (route) => route.abort();
    await context.route(/gallery.*\.json/, missing);
    for (const name of ["Gallery", "Learn"]) {
        await press(page, name);
        await says(page, /^The gallery could not be loaded: there is no answer\. Load the page again to try once more\.$/);
    }
    await context.unroute(/gallery.*\.json/, missing);
    await press(page, "Learn");
    await page.getByRole("heading", { name: "Guessing" }).waitFor();
    problems.length = 0;
}));

test("what is shared from a file on one's device is of use to others", async () => {
    const site = await serve();
    try {
        await studio(studioFile, async (page, context) => {
            await says(page, /^Solution 1/);
            await write(page, "printLine(\"from a file\");");
            await press(page, "Share");
            await page.getByText(/^This studio is a file on your device, and its address is of use to nobody else\./).waitFor();
            const end = await page.getByRole("textbox", { name: "What goes behind the address of a studio" }).inputValue();
            assert.match(end, /^#v1=[\w-]+$/);
            const frame = await page.getByRole("textbox", { name: "For a page of yours" }).inputValue();
            assert.match(frame, /src="studio\.html#embed&v1=/);
            await soon.doesNotMatch(async () => await page.getByRole("dialog").innerText() + frame, /file:/);
            const other = await context.newPage();
            await other.goto(site.address + end);
            await editor(other).getByText("from a file").waitFor();
        });
        await studio("", async (page) => {
            await press(page, "Share");
            await soon.match(() => page.getByRole("textbox", { name: "Link", exact: true }).inputValue(), /^http:.*#v1=/);
            await soon.equal(() => page.getByText(/^This studio is a file/).isVisible(), false);
        });
    } finally {
        site.close();
    }
});

test("a link to a program of the gallery names it, with the seed and the parameters that are one's own, and one that was changed is in its link", () => studio("#example=tiles/weights", async (page, context) => {
    const link = async () => {
        await press(page, "Share");
        await page.getByRole("dialog", { name: "Share" }).waitFor();
        const address = await page.getByRole("textbox", { name: "Link", exact: true }).inputValue();
        await page.keyboard.press("Escape");
        return address.slice(address.indexOf("#"));
    };
    await editor(page).getByText("weights").first().waitFor();
    assert.equal(await link(), "#example=tiles/weights");
    await page.getByRole("spinbutton", { name: "Seed" }).fill("7");
    const size = page.getByRole("spinbutton", { name: "size" });
    await size.fill("5");
    await size.press("Enter");
    await says(page, /^Solution 1/);
    assert.equal(await link(), `#example=tiles/weights&seed=7&parameters=${encodeURIComponent("{\"size\":5}")}`);
    const picture = (page) => outputOf(page).getByRole("img", { name: /^Picture: / }).getAttribute("alt");
    const other = await context.newPage();
    await other.goto(page.url().split("#")[0] + await link());
    await says(other, /^Solution 1/);
    assert.equal(await picture(other), await picture(page));
    await write(page, "printLine(\"mine\");");
    assert.match(await link(), /^#v1=/);
}));

test("what is no seed and what are no parameters is said, and the program is shown", () => studio("#example=tiles/map&seed=-1&parameters={", async (page) => {
    await says(page, /The link has the seed -1, which is no whole number\. The link has parameters that cannot be read\.$/);
    await editor(page).getByText("Tiles: sand").first().waitFor();
}));

test("the address names the chapter that is read, and opens it, beside what one has written there", () => studio("", async (page, context) => {
    await says(page, /^Solution 1/);
    const bare = page.url();
    await press(page, "Learn");
    const chapter = page.getByRole("combobox", { name: "Chapter" });
    await until(() => /#learn=\w+\/1$/.test(page.url()), "the first chapter is in the address");
    await press(page, "Next ▶");
    await press(page, "Next ▶");
    assert.match(page.url(), /#learn=\w+\/3$/);
    const title = await chapter.locator("option:checked").innerText();
    const program = page.getByRole("textbox", { name: "Program" });
    await write(page, "// While I read");
    await keeps(page, "While I read");
    await page.reload();
    await until(async () => await chapter.locator("option:checked").innerText() === title, "it is the chapter again");
    await program.getByText("While I read").waitFor();
    const other = await context.newPage();
    await other.goto(page.url());
    await until(async () => await other.getByRole("combobox", { name: "Chapter" }).locator("option:checked").innerText() === title, "another page has the chapter, too");
    await fromMenu(page, "File", "Start page");
    assert.match(page.url(), /#learn=\w+\/3$/);
    await press(page, "Close the guide");
    assert.equal(page.url(), bare);
}));

test("what else the address asks for stays while a chapter is read", () => studio("#example=queens/queens", async (page) => {
    await says(page, /^Press Run/);
    await press(page, "Learn");
    await until(() => /#example=queens\/queens&learn=\w+\/1$/.test(page.url()), "the chapter is named behind the program");
    await press(page, "Close the guide");
    assert.match(page.url(), /#example=queens\/queens$/);
}));
