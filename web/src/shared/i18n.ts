import { i18n } from "@lingui/core";
import { messages } from "../locales/en.po";

/** Loads the words of the page. English is the only language yet. */
export function activateLocale(): void {
  i18n.loadAndActivate({ locale: "en", messages });
}

export { i18n };
