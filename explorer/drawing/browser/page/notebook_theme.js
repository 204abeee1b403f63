// Is the notebook light or dark? JupyterLab and Visual Studio Code say so on the page's body.

const ATTRIBUTES = ["data-jp-theme-light", "data-vscode-theme-kind", "class"];

function isDark(preferred) {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === "false";
  if (vscodeThemeKind !== undefined) return vscodeThemeKind.includes("dark");
  return preferred.matches;
}

/** Give `root` the class of the notebook's theme, now and whenever it changes; call what is returned to stop. */
export function followTheme(root) {
  const preferred = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const dark = isDark(preferred);
    root.classList.toggle("on-dark", dark);
    root.classList.toggle("on-light", !dark);
  };
  const watch = new MutationObserver(follow);
  watch.observe(document.body, { attributes: true, attributeFilter: ATTRIBUTES });
  preferred.addEventListener("change", follow);
  follow();
  return () => {
    watch.disconnect();
    preferred.removeEventListener("change", follow);
  };
}
