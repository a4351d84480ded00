import { useLingui } from "@lingui/react/macro";
import { useStore } from "@/shared/lib/store";
import { chooseTheme, type ThemeChoice, themeStore } from "@/shared/lib/theme";

/** Light, dark, or as the device has it. */
export function ThemeChooser() {
  const { t } = useLingui();
  const chosen = useStore(themeStore);
  const choices: [ThemeChoice, string][] = [
    ["system", t`As the device`],
    ["light", t`Light`],
    ["dark", t`Dark`],
  ];
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">{t`Theme`}</legend>
      {choices.map(([choice, name]) => (
        <label
          key={choice}
          className="flex h-11 cursor-pointer items-center gap-2.5 rounded-button border border-control px-4 font-medium has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="theme"
            className="accent-accent"
            checked={chosen === choice}
            onChange={() => chooseTheme(choice)}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
