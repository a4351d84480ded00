// Sets the theme before the first paint. A file of its own, so that the page's
// security policy need not allow inline scripts. src/shared/lib/theme.ts changes it.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("tenfold.theme");
  } catch {
    // Storage is blocked: follow the system.
  }
  const dark = choice === "dark" || (choice !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
