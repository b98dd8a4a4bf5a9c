// Numbers as the page shows them.

/** Up to so many digits, without needless zeros. */
export function short(value: number | null | undefined, digits = 5): string {
  if (value === null || value === undefined) {
    return "not known";
  }
  if (value === 0) {
    return "0";
  }
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) {
    return value
      .toExponential(Math.max(digits - 3, 1))
      .replace(/\.?0+e/, "e")
      .replace("e+", "e");
  }
  return String(Number(value.toPrecision(digits)));
}

export function list(values: readonly number[] | null | undefined, digits = 4): string {
  return values ? values.map((value) => short(value, digits)).join(", ") : "none";
}

/** Nothing but the number, as `clearance query` prints it. */
export function exact(value: number | null | undefined): string {
  return value === null || value === undefined ? "null" : String(value);
}

export function bytes(count: number): string {
  return count >= 1e6 ? `${short(count / 1e6, 3)} MB` : `${short(count / 1e3, 3)} kB`;
}
