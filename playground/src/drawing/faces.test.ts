import { BoxGeometry, SphereGeometry, Vector3 } from "three";
import { mergeVertices } from "three/addons/utils/BufferGeometryUtils.js";
import { describe, expect, it } from "vitest";
import { facesOf } from "./faces";

function welded(geometry: BoxGeometry | SphereGeometry) {
  const bare = geometry.deleteAttribute("normal").deleteAttribute("uv");
  const made = mergeVertices(bare, 1e-6);
  const vertices = made.getAttribute("position").array as Float32Array;
  return { vertices, triangles: Uint32Array.from(made.getIndex()?.array ?? []) };
}

describe.each([
  ["a cuboid", welded(new BoxGeometry(1, 2, 3))],
  ["a ball", welded(new SphereGeometry(1, 16, 8))],
])("the faces of %s", (_, { vertices, triangles }) => {
  const faces = facesOf(vertices, triangles);
  const point = (numbers: Float32Array, corner: number) =>
    new Vector3().fromArray(numbers, (faces.triangles[corner] ?? 0) * 3);

  it("have their normal at the last corner of each triangle", () => {
    for (let first = 0; first < faces.triangles.length; first += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => point(faces.vertices, first + corner)) as [
        Vector3,
        Vector3,
        Vector3,
      ];
      const normal = b.clone().sub(a).cross(c.clone().sub(a));
      if (normal.length() > 1e-6) {
        expect(point(faces.normals, first + 2).distanceTo(normal.normalize())).toBeLessThan(1e-3);
      }
    }
  });

  it("are the triangles that were given, turned at most", () => {
    const corners = (numbers: Float32Array, indices: Uint32Array, first: number) =>
      [0, 1, 2].map((corner) =>
        new Vector3()
          .fromArray(numbers, (indices[first + corner] ?? 0) * 3)
          .toArray()
          .join(),
      );
    for (let first = 0; first < triangles.length; first += 3) {
      const given = corners(vertices, triangles, first);
      const made = corners(faces.vertices, faces.triangles, first);
      const at = made.indexOf(given[0] ?? "");
      expect([...made.slice(at), ...made.slice(0, at)]).toEqual(given);
    }
  });

  it("keep the vertices first, for the edges", () => {
    expect(faces.vertices.slice(0, vertices.length)).toEqual(vertices);
  });
});

describe("the faces of a cuboid", () => {
  it("need half of the vertices that faces of their own would", () => {
    const { vertices, triangles } = welded(new BoxGeometry());
    expect(facesOf(vertices, triangles).vertices.length / 3).toBeLessThanOrEqual(12);
  });
});
