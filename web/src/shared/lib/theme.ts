import * as v from "valibot";
import { createStore } from "./store";

/** What the person chose; "system" follows the device. */
export type ThemeChoice = "system" | "light" | "dark";

const storageKey = "tenfold.theme";
const choiceSchema = v.fallback(v.picklist(["system", "light", "dark"]), "system");
const darkSystem = () => window.matchMedia("(prefers-color-scheme: dark)");

/** The theme choice, kept in this browser. public/theme.js applies it before the first paint. */
export const themeStore = createStore<ThemeChoice>(read());

/** Changes the theme at once and remembers it. */
export function chooseTheme(choice: ThemeChoice): void {
  try {
    window.localStorage.setItem(storageKey, choice);
  } catch {
    // Storage is blocked: the choice holds until the page is closed.
  }
  themeStore.set(choice);
  apply();
}

/** Keeps the page in step with the device while the choice is "system". */
export function followSystemTheme(): void {
  darkSystem().addEventListener("change", apply);
  apply();
}

function apply(): void {
  const choice = themeStore.get();
  const dark = choice === "dark" || (choice === "system" && darkSystem().matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function read(): ThemeChoice {
  try {
    return v.parse(choiceSchema, window.localStorage.getItem(storageKey));
  } catch {
    return "system";
  }
}
