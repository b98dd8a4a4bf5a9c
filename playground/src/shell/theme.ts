// Light or dark: as the system says, until the switch says otherwise.

import { computed, effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "clearance-theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);
system.addEventListener("change", () => {
  systemIsDark.value = system.matches;
});

export const theme = signal<Theme>(stored());

export const darkPage = computed(() =>
  theme.value === "system" ? systemIsDark.value : theme.value === "dark",
);

effect(() => {
  document.documentElement.dataset.theme = darkPage.value ? "dark" : "light";
});

export function nextTheme(): void {
  theme.value = darkPage.value ? "light" : "dark";
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // A page without storage forgets the choice, and works.
  }
}

function stored(): Theme {
  try {
    const text = localStorage.getItem(KEY);
    return text === "light" || text === "dark" ? text : "system";
  } catch {
    return "system";
  }
}
