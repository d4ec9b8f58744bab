// How the page begins: with what the address asks for, with a person's own work, or with our first program.
import { asked, cameByLink, forbidNetwork, isOfOtherRun } from "./project/arrival";
import { the } from "./page/dom";
import { startTheme } from "./page/theme";
import { FIRST } from "./project/beginnings";
import { known } from "./project/known";
import { isWish, wish } from "./project/share";
import { isBlank, kept, shelve, keptFolding } from "./project/storage";
import { Studio } from "./studio";

async function begin(): Promise<void> {
    startTheme(the<HTMLButtonElement>("theme"));
    const firstMap = the("first-map");
    const wishes = await wish(location.hash);
    document.body.classList.toggle("embedded", wishes.isEmbedded);
    const studio = new Studio(wishes.isEmbedded);
    const { opening, work } = studio;
    const { project, problem, picture, program } = await asked(wishes);
    const knownOfIt = { ...known(program), ...wishes.known };
    forbidNetwork();
    const last = wishes.isEmbedded ? undefined : await kept();
    // An empty program is nothing to come back to.
    const earlier = last && (last.isOfThisPage || !isBlank(last.project)) ? last : undefined;
    // Who loads a page again goes on with what they have made of it, or have run; but a text of another place may have changed there. A link that
    // leads to nothing takes nothing away.
    const isAgain = earlier?.isOfThisPage && (earlier.isChanged || earlier.mayRun && wishes.url === undefined) && !cameByLink();
    const isEarlier = earlier && (!project || isAgain);
    if (earlier?.isChanged && !isEarlier) await shelve(earlier.project, earlier);
    const first = isEarlier ? earlier.project : project ?? FIRST;
    // The lines that a link locks are those of the program that it opens.
    studio.writing.lock(first, wishes.readOnly);
    opening.open(first, isEarlier ? earlier : { isChanged: false, mayRun: false, known: knownOfIt });
    const said = problem === undefined ? [] : [problem, earlier ? "Here is your own work." : "Here is the program to begin with."];
    said.push(...wishes.notes);
    // Who loads the page again has what stood beside the chapter.
    if (wishes.chapter && !await studio.showChapter(wishes.chapter, !isAgain)) said.push(`There is no chapter ${wishes.chapter}: here is the first.`);
    // Our own first program may run by itself, and one of ours that is to be played or solved, or that has no picture of this run; what others have sent may not.
    const isToBeSolved = !isEarlier && !wishes.isEmbedded && knownOfIt.isSolvedHere === true;
    studio.fold(wishes.isPlay || isToBeSolved ? "play" : isAgain ? keptFolding() : "");
    const runs = wishes.example !== undefined && work.project === project && (wishes.isPlay || knownOfIt.isSolvedHere === true || isOfOtherRun(wishes));
    if (picture && work.project === project) opening.foreshow(picture, runs);
    if (runs) {
        opening.runAsOpened();
        studio.output.bringIntoSight();
    }
    // One's own work goes on as it is opened. What came by a link waits until somebody has run it once.
    else if (isEarlier && earlier.mayRun && said.length === 0 && !isBlank(first)) opening.runAsOpened();
    if (work.project === FIRST && said.length === 0) opening.runFirst(firstMap);
    if (said.length > 0) studio.line.say(said.join(" "), "problem");
    window.addEventListener("hashchange", () => isWish(location.hash) && location.reload());
}

void begin();
