// Light and dark: what the system says, until a person says otherwise.
import { keepTheme, keptTheme } from "../project/storage";

export function startTheme(button: HTMLButtonElement): void {
    const system = matchMedia("(prefers-color-scheme: dark)");
    let chosen = keptTheme();
    const show = () => {
        const isDark = chosen ? chosen === "dark" : system.matches;
        document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
        button.setAttribute("aria-pressed", String(isDark));
    };
    button.addEventListener("click", () => {
        chosen = document.documentElement.dataset["theme"] === "dark" ? "light" : "dark";
        keepTheme(chosen);
        show();
    });
    system.addEventListener("change", show);
    show();
}
