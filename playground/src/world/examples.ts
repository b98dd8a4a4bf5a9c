// Small scenes to begin with.

export interface Example {
  name: string;
  scene: string;
}

/** A floor, walls and boxes that rest on each other, with a ball that comes from the left. */
function stack(): unknown {
  const boxes = Array.from({ length: 15 }, (_, number) => {
    const row = Math.floor((Math.sqrt(8 * number + 1) - 1) / 2);
    const place = number - (row * (row + 1)) / 2;
    const translation = [2 + (place - row / 2) * 1.06, 4.5 - row * 1.01];
    return { shape: "box", pose: { translation } };
  });
  return {
    dimension: 2,
    margin: 0.1,
    bounds: { min: [-8, -1], max: [8, 9] },
    shapes: { box: { type: "cuboid", half_extents: [0.5, 0.5] } },
    bodies: [
      { shape: { type: "cuboid", half_extents: [8, 0.5] }, pose: { translation: [0, -0.52] }, kind: "fixed" },
      ...boxes,
      {
        shape: { type: "ball", radius: 0.7 },
        pose: { translation: [-6, 2.4] },
        velocity: { linear: [3, 0.2], angular: -2 },
      },
      {
        shape: {
          type: "hull",
          points: [
            [-0.9, -0.4],
            [0.8, -0.5],
            [0.5, 0.6],
            [-0.3, 0.8],
          ],
        },
        pose: { translation: [-4, 6] },
        velocity: { linear: [1.4, -0.9], angular: 1.2 },
      },
    ],
  };
}

/** One of each kind of shape in space, turning above a floor. */
function zoo(): unknown {
  const shapes: Record<string, unknown> = {
    ball: { type: "ball", radius: 0.6 },
    cuboid: { type: "cuboid", half_extents: [0.6, 0.4, 0.5] },
    capsule: { type: "capsule", half_length: 0.5, radius: 0.3 },
    cylinder: { type: "cylinder", half_height: 0.5, radius: 0.5 },
    cone: { type: "cone", half_height: 0.6, radius: 0.6 },
    tapered_capsule: { type: "tapered_capsule", half_length: 0.5, radius_top: 0.2, radius_bottom: 0.45 },
    tapered_cylinder: { type: "tapered_cylinder", half_height: 0.5, radius_top: 0.25, radius_bottom: 0.6 },
    ellipsoid: { type: "ellipsoid", radii: [0.8, 0.4, 0.55] },
    hull: {
      type: "hull",
      points: [
        [0.7, 0, 0],
        [-0.6, 0.2, 0.3],
        [0, 0.8, 0],
        [0, -0.5, 0.5],
        [0.1, 0, -0.7],
      ],
    },
    rounded: { type: "rounded", radius: 0.15, shape: { type: "cuboid", half_extents: [0.4, 0.25, 0.4] } },
    triangle: { type: "triangle", a: [-0.7, -0.4, 0], b: [0.7, -0.4, 0], c: [0, 0.7, 0] },
    compound: {
      type: "compound",
      parts: [
        { shape: { type: "cuboid", half_extents: [0.7, 0.1, 0.5] }, pose: { translation: [0, 0.4, 0] } },
        { shape: { type: "cylinder", half_height: 0.4, radius: 0.12 }, pose: { translation: [-0.4, 0, 0] } },
        { shape: { type: "cylinder", half_height: 0.4, radius: 0.12 }, pose: { translation: [0.4, 0, 0] } },
      ],
    },
  };
  const names = Object.keys(shapes);
  const movers = names.map((shape, number) => ({
    shape,
    pose: { translation: [(number % 4) * 1.5 - 2.25, 1.1, Math.floor(number / 4) * 1.5 - 1.5] },
    velocity: {
      linear: [number % 2 ? 0.5 : -0.5, 0.1, number % 3 ? 0.4 : -0.4],
      angular: [0.7, number % 5, 0.4],
    },
  }));
  return {
    dimension: 3,
    margin: 0.25,
    bounds: { min: [-3.5, 0.3, -3], max: [3.5, 2.2, 3] },
    shapes,
    bodies: [
      {
        shape: { type: "cuboid", half_extents: [4, 0.2, 3.5] },
        pose: { translation: [0, -0.2, 0] },
        kind: "fixed",
      },
      ...movers,
    ],
  };
}

/** Hills, and balls that roll over them. */
function hills(): unknown {
  const size = 24;
  const heights = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => {
      const height =
        0.9 * Math.sin(row * 0.55) * Math.cos(column * 0.45) + 0.35 * Math.sin(column * 1.1 + row * 0.3);
      return Number(height.toFixed(3));
    }),
  );
  const balls = Array.from({ length: 40 }, (_, number) => ({
    shape: "ball",
    pose: { translation: [((number * 7) % 17) - 8, 1.2 + (number % 3) * 0.5, ((number * 11) % 17) - 8] },
    velocity: {
      linear: [Math.sin(number) * 1.5, -0.15, Math.cos(number * 2) * 1.5],
      angular: [1, 0, number % 2],
    },
  }));
  return {
    dimension: 3,
    margin: 0.2,
    bounds: { min: [-9.5, -0.5, -9.5], max: [9.5, 3, 9.5] },
    shapes: { ball: { type: "ball", radius: 0.5 } },
    bodies: [{ shape: { type: "height_field", scale: [20, 1, 20], heights }, kind: "fixed" }, ...balls],
  };
}

/** Shots that hit walls and a polyline, but not each other. */
function shots(): unknown {
  const shot = (number: number) => ({
    shape: "shot",
    pose: { translation: [-6 + (number % 3) * 0.8, -2.5 + number * 0.55] },
    velocity: { linear: [4 - (number % 4) * 0.5, 0.6 - (number % 5) * 0.3] },
    groups: { memberships: 1, filter: 2 },
  });
  return {
    dimension: 2,
    margin: 0.15,
    bounds: { min: [-8, -4], max: [8, 4] },
    shapes: { shot: { type: "capsule", half_length: 0.18, radius: 0.1 } },
    bodies: [
      {
        shape: { type: "cuboid", half_extents: [0.3, 3] },
        pose: { translation: [5, 0], rotation: 0.2 },
        kind: "fixed",
        groups: { memberships: 2 },
      },
      {
        shape: {
          type: "polyline",
          vertices: [
            [-8, -3.5],
            [-3, -3],
            [0, -3.6],
            [4, -3.1],
            [8, -3.5],
          ],
        },
        kind: "fixed",
        groups: { memberships: 2 },
      },
      {
        shape: { type: "ellipsoid", radii: [1.2, 0.6] },
        pose: { translation: [0.5, 1], rotation: 0.5 },
        kind: "fixed",
        groups: { memberships: 2 },
      },
      ...Array.from({ length: 10 }, (_, number) => shot(number)),
    ],
  };
}

export const EXAMPLES: Example[] = [
  { name: "One of each shape", scene: JSON.stringify(zoo()) },
  { name: "A stack and a ball (2D)", scene: JSON.stringify(stack()) },
  { name: "Balls on hills", scene: JSON.stringify(hills()) },
  { name: "Shots and walls (2D)", scene: JSON.stringify(shots()) },
];
