// Which part of a simplex is nearest to the origin, decided twice: by Johnson's determinants, and by the
// Voronoi regions of the vertices, edges, faces and the inside. Both say the same.

import { Vector3 } from "three";

export interface Subset {
  /** Numbers of vertices, in increasing order. */
  members: number[];
  /** Johnson's determinants of the members: all above zero if the origin is above the inside of their hull. */
  determinants: number[];
  /** The determinant of each other vertex, if it joined: none is above zero if joining would not bring nearer. */
  joining: number[];
  johnson: boolean;
  voronoi: boolean;
  weights: number[];
}

/** All subsets of the vertices of a simplex, small ones first. */
export function subsets(vertices: readonly Vector3[]): Subset[] {
  const found: Subset[] = [];
  for (let bits = 1; bits < 1 << vertices.length; bits += 1) {
    const members = vertices.map((_, number) => number).filter((number) => bits & (1 << number));
    found.push(decide(vertices, members));
  }
  return found.sort((one, other) => one.members.length - other.members.length);
}

function decide(vertices: readonly Vector3[], members: number[]): Subset {
  const determinants = members.map((member) => determinant(vertices, members, member));
  const others = vertices.map((_, number) => number).filter((number) => !members.includes(number));
  const joining = others.map((other) => determinant(vertices, [...members, other], other));
  const sum = determinants.reduce((total, each) => total + each, 0);
  return {
    members,
    determinants,
    joining,
    johnson: determinants.every((each) => each > 0) && joining.every((each) => each <= 0),
    voronoi: inRegion(vertices, members, others),
    weights: determinants.map((each) => each / sum),
  };
}

/** Johnson's recursion: the determinant of one vertex in a set follows from those of the set without it. */
function determinant(vertices: readonly Vector3[], set: readonly number[], of: number): number {
  if (set.length === 1) {
    return 1;
  }
  const rest = set.filter((number) => number !== of);
  const first = at(vertices, rest[0]);
  const joined = at(vertices, of);
  return rest.reduce((sum, number) => {
    const vertex = at(vertices, number);
    return sum + determinant(vertices, rest, number) * (vertex.dot(first) - vertex.dot(joined));
  }, 0);
}

/**
 * Whether the origin is in the Voronoi region of a set of vertices: seen from the nearest point of the plane
 * through them, it lies between the members and on no other vertex's side.
 */
function inRegion(vertices: readonly Vector3[], members: number[], others: number[]): boolean {
  const points = members.map((member) => at(vertices, member));
  const nearest = nearestOfPlane(points);
  const toOrigin = nearest.clone().negate();
  const between = points.every((point, number) => {
    const side = points.filter((_, other) => other !== number);
    if (side.length === 0) {
      return true;
    }
    const foot = nearestOfPlane(side, point);
    return point.clone().sub(foot).dot(nearest.clone().sub(foot)) > 0;
  });
  return between && others.every((other) => at(vertices, other).clone().sub(nearest).dot(toOrigin) <= 0);
}

/** The point of the line or plane through some points that is nearest to a place, by orthogonal directions. */
export function nearestOfPlane(points: readonly Vector3[], place = new Vector3()): Vector3 {
  const base = at(points, 0);
  const directions: Vector3[] = [];
  for (const point of points.slice(1)) {
    const direction = point.clone().sub(base);
    for (const each of directions) {
      direction.addScaledVector(each, -direction.dot(each));
    }
    if (direction.lengthSq() > 0) {
      directions.push(direction.normalize());
    }
  }
  const offset = place.clone().sub(base);
  return directions.reduce((sum, each) => sum.addScaledVector(each, offset.dot(each)), base.clone());
}

function at(vertices: readonly Vector3[], number: number | undefined): Vector3 {
  return vertices[number ?? 0] ?? new Vector3();
}
