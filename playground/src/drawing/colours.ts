// The colours of drawings, for the light and the dark page.

import { Color, ColorManagement } from "three";
import { darkPage } from "../shell/theme";

// Colours are drawn as they are written: nothing here mixes light.
ColorManagement.enabled = false;

export interface Palette {
  background: Color;
  /** By the number in a body's fourth pose word: see `Tint`. */
  bodies: Color[];
  edges: Color;
  grid: Color;
  boxes: Color;
  normal: Color;
  a: Color;
  b: Color;
  overlap: Color;
  difference: Color;
  simplex: Color;
  support: Color;
  origin: Color;
}

/** What a body's colour says. The kinds of shapes follow from `firstKind` on, and behind them what is pale. */
export const Tint = {
  fixed: 0,
  moving: 1,
  selected: 2,
  differs: 3,
  standIn: 4,
  firstKind: 5,
  pale: 11,
} as const;

export const KIND_COLOURS = 6;

const colour = (text: string) => new Color(text);

const light: Palette = {
  background: colour("#f7f8fa"),
  bodies: [
    "#aab2bd",
    "#7c9cc9",
    "#f2a900",
    "#e0457b",
    "#c9b458",
    "#7fa3d1",
    "#88b7a5",
    "#b79ac9",
    "#c9a27e",
    "#8fb4c4",
    "#a9b77f",
    "#b4bdc8",
  ].map(colour),
  edges: colour("#33404f"),
  grid: colour("#d5dae1"),
  boxes: colour("#5c6b7d"),
  normal: colour("#7a3fd0"),
  a: colour("#2f6fd0"),
  b: colour("#1f9a6a"),
  overlap: colour("#d2413a"),
  difference: colour("#8a63c9"),
  simplex: colour("#d97a00"),
  support: colour("#c2255c"),
  origin: colour("#10151c"),
};

const dark: Palette = {
  background: colour("#12161c"),
  bodies: [
    "#56606d",
    "#5f86bd",
    "#ffc233",
    "#ff6b9b",
    "#b39b3a",
    "#5b84bb",
    "#5c9a84",
    "#9577ad",
    "#ab8059",
    "#6796ab",
    "#879860",
    "#6a7686",
  ].map(colour),
  edges: colour("#c8d2de"),
  grid: colour("#2a323d"),
  boxes: colour("#93a2b5"),
  normal: colour("#b18cff"),
  a: colour("#6aa3ff"),
  b: colour("#4ed0a0"),
  overlap: colour("#ff6f66"),
  difference: colour("#b79cf0"),
  simplex: colour("#ffb347"),
  support: colour("#ff7fa8"),
  origin: colour("#f2f5f9"),
};

export function palette(): Palette {
  return darkPage.value ? dark : light;
}

/** The number of a shape kind's colour. */
export function kindTint(kind: string): number {
  const kinds = ["ball", "cuboid", "capsule", "hull", "cylinder", "cone"];
  const place = kinds.indexOf(kind);
  return Tint.firstKind + (place < 0 ? kind.length % KIND_COLOURS : place);
}

/** The four ends of the scale of contacts: deep, touching from inside, touching from outside, at the margin. */
export interface ContactScale {
  deep: Color;
  shallow: Color;
  near: Color;
  far: Color;
}

const lightScale: ContactScale = {
  deep: colour("#8f0d2b"),
  shallow: colour("#f0663c"),
  near: colour("#0a8f58"),
  far: colour("#2563d9"),
};

const darkScale: ContactScale = {
  deep: colour("#ff2d55"),
  shallow: colour("#ffb199"),
  near: colour("#3ddc97"),
  far: colour("#5aa0ff"),
};

export function contactScale(): ContactScale {
  return darkPage.value ? darkScale : lightScale;
}
