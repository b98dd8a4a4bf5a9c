// What tests read back from the page, and anyone at the console.

declare global {
  interface Window {
    clearance: Record<string, unknown>;
  }
}

window.clearance ??= {};

export function expose(name: string, value: unknown): void {
  window.clearance[name] = value;
}
