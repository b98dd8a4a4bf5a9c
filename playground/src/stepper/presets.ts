// Pairs to begin with: the demonstrations of the texts on GJK, and the cases that are hard to imagine.

import type { PairLine } from "./pair";

export interface Preset {
  name: string;
  about: string;
  pair: PairLine;
}

export const PRESETS: Preset[] = [
  {
    name: "Two point sets",
    about:
      "Drag the points or the shapes. The Minkowski difference contains the origin exactly when the hulls overlap, and both turn red.",
    pair: {
      dimension: 2,
      a: {
        shape: {
          type: "hull",
          points: [
            [-1.6, -0.6],
            [-0.4, -1.1],
            [0.9, -0.5],
            [1.1, 0.7],
            [-0.7, 1],
          ],
        },
        pose: { translation: [-1.8, 0.3] },
      },
      b: {
        shape: {
          type: "hull",
          points: [
            [-1, -0.9],
            [0.8, -1],
            [1.3, 0.2],
            [0.2, 1.2],
          ],
        },
        pose: { translation: [2, -0.2], rotation: 0.3 },
      },
    },
  },
  {
    name: "How the simplex evolves",
    about: "An ellipse and a polygon of many corners: step through the search and see both bounds close in.",
    pair: {
      dimension: 2,
      a: {
        shape: { type: "ellipsoid", radii: [2.2, 0.7] },
        pose: { translation: [-1.6, 0.8], rotation: -0.5 },
      },
      b: {
        shape: {
          type: "hull",
          points: [
            [-1.2, 0],
            [-0.9, -0.8],
            [-0.1, -1.2],
            [0.8, -0.9],
            [1.3, -0.1],
            [1, 0.8],
            [0.2, 1.2],
            [-0.8, 0.9],
          ],
        },
        pose: { translation: [1.8, -1.4], rotation: 0.2 },
      },
    },
  },
  {
    name: "Johnson and Voronoi",
    about:
      "Each step decides which part of the simplex is nearest to the origin. The table shows Johnson's determinants and the Voronoi regions deciding the same.",
    pair: {
      dimension: 2,
      a: {
        shape: { type: "triangle", a: [-1.3, -0.8], b: [1.2, -0.5], c: [0, 1.3] },
        pose: { translation: [-1.1, 0] },
      },
      b: {
        shape: { type: "cuboid", half_extents: [1, 0.6] },
        pose: { translation: [1.9, 0.9], rotation: 0.7 },
      },
    },
  },
  {
    name: "Overlap: the expanding polygon",
    about:
      "The search ends with the origin inside. The polygon then grows towards the nearest edge of the difference.",
    pair: {
      dimension: 2,
      a: {
        shape: {
          type: "hull",
          points: [
            [-1.5, -0.7],
            [0.6, -1.2],
            [1.6, 0],
            [0.7, 1.2],
            [-1.2, 0.9],
          ],
        },
        pose: { translation: [-0.5, 0.1] },
      },
      b: {
        shape: { type: "ellipsoid", radii: [1.4, 0.8] },
        pose: { translation: [0.8, 0.4], rotation: 0.6 },
      },
    },
  },
  {
    name: "Rounded shapes",
    about: "The search works on the cores; the radius around the origin is subtracted from the distance.",
    pair: {
      dimension: 2,
      a: {
        shape: {
          type: "rounded",
          radius: 0.4,
          shape: {
            type: "hull",
            points: [
              [-1, -0.5],
              [0.9, -0.6],
              [0.2, 1],
            ],
          },
        },
        pose: { translation: [-1.6, 0] },
      },
      b: {
        shape: { type: "tapered_capsule", half_length: 0.9, radius_top: 0.25, radius_bottom: 0.6 },
        pose: { translation: [1.6, 0.4], rotation: 0.8 },
      },
    },
  },
  {
    name: "A cast in the plane",
    about: "A box flies and turns towards a polygon: each advance is proven to touch nothing.",
    pair: {
      dimension: 2,
      ask: "cast",
      a: {
        shape: { type: "cuboid", half_extents: [0.8, 0.35] },
        pose: { translation: [-4, 1.5], rotation: 0.4 },
      },
      b: {
        shape: {
          type: "hull",
          points: [
            [-1, -0.8],
            [0.9, -1],
            [1.2, 0.4],
            [0, 1.1],
          ],
        },
        pose: { translation: [2, -0.4] },
      },
      motion_a: { linear: [6, -1.8], angular: 1.5 },
    },
  },
  {
    name: "Cylinder and hull (3D)",
    about: "The Minkowski difference of a round and a flat shape, with the simplex that searches it.",
    pair: {
      dimension: 3,
      a: {
        shape: { type: "cylinder", half_height: 0.9, radius: 0.6 },
        pose: { translation: [-1.4, 0.3, 0.2], rotation: [0.3, 0, 0.2, 0.9327379] },
      },
      b: {
        shape: {
          type: "hull",
          points: [
            [0.9, -0.2, 0.1],
            [-0.7, 0.3, 0.4],
            [0.1, 1, -0.2],
            [-0.2, -0.8, 0.5],
            [0.2, 0.1, -0.9],
          ],
        },
        pose: { translation: [1.5, -0.2, 0] },
      },
    },
  },
  {
    name: "Overlap: the expanding polytope (3D)",
    about:
      "A box and a cone that overlap: the polytope grows until its nearest face is that of the difference.",
    pair: {
      dimension: 3,
      a: {
        shape: {
          type: "hull",
          points: [
            [-0.9, -0.6, -0.7],
            [0.9, -0.6, -0.7],
            [-0.9, 0.6, -0.7],
            [0.9, 0.6, -0.7],
            [-0.9, -0.6, 0.7],
            [0.9, -0.6, 0.7],
            [-0.9, 0.6, 0.7],
            [0.9, 0.6, 0.7],
          ],
        },
      },
      b: {
        shape: { type: "cone", half_height: 0.8, radius: 0.7 },
        pose: { translation: [0.9, 0.5, 0.2], rotation: [0.1, 0.2, 0.3, 0.9273618] },
      },
    },
  },
  {
    name: "A cast in space",
    about: "A turning box flies towards a cylinder and advances in proven steps.",
    pair: {
      dimension: 3,
      ask: "cast",
      a: { shape: { type: "cuboid", half_extents: [0.7, 0.3, 0.5] }, pose: { translation: [-4, 1, 0.4] } },
      b: { shape: { type: "cylinder", half_height: 0.9, radius: 0.6 }, pose: { translation: [1.5, 0, 0] } },
      motion_a: { linear: [6, -0.9, -0.3], angular: [0.5, 1.5, 0.8] },
    },
  },
];
