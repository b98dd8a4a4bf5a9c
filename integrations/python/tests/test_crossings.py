"""Where meshes cross each other and themselves."""

import numpy as np
import pytest
import trimesh

from clearance import dim3


def test_two_balls_cross_in_a_circle() -> None:
    mesh = trimesh.creation.icosphere(subdivisions=4)
    ball = dim3.Shape.from_trimesh(mesh)
    places = np.array([[1.2, 0.1, 0.03], [0.2, 1.6, 0.07], [5, 0, 0]])
    curves = dim3.crossing_segments(ball, ball, None, places)
    assert curves.complete is not None and curves.complete.all()
    for k, place in enumerate(places):
        curve = curves[curves.question == k]
        half = np.linalg.norm(place) / 2.0
        radius = np.sqrt(max(1.0 - half**2, 0.0))
        lengths = np.linalg.norm(curve.end - curve.start, axis=1)
        assert np.isclose(lengths.sum(), 2.0 * np.pi * radius, rtol=5e-3)
        assert np.allclose(np.linalg.norm(curve.start - place / 2.0, axis=1), radius, atol=5e-3)
        assert sorted(map(tuple, curve.start)) == sorted(map(tuple, curve.end))
        # The triangles are those that the points lie on.
        for triangles, parts, offset in ((mesh.triangles, curve.part_a, 0.0), (mesh.triangles, curve.part_b, place)):
            corners = triangles[parts] + offset
            normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
            heights = np.einsum("ij,ij->i", normals, curve.end - corners[:, 0])
            assert np.abs(heights).max(initial=0.0) < 1e-8


def test_a_mesh_crosses_itself_where_two_that_do_are_one() -> None:
    ball = trimesh.creation.icosphere(subdivisions=3)
    assert len(dim3.Shape.from_trimesh(ball).self_crossings().parts) == 0
    other = ball.copy().apply_translation([0.7, 0.3, 0.1])
    found = dim3.Shape.from_trimesh(trimesh.util.concatenate([ball, other])).self_crossings()
    curve = dim3.crossing_segments(dim3.Shape.from_trimesh(ball), dim3.Shape.from_trimesh(other))
    assert found.complete
    assert found.parts.tolist() == np.column_stack([curve.part_a, curve.part_b + len(ball.faces)]).tolist()


def test_what_has_no_triangles_is_refused() -> None:
    ball, box = dim3.Shape.ball(1.0), dim3.Shape.from_trimesh(trimesh.creation.box())
    with pytest.raises(ValueError, match="b.shape is a ball, must be a mesh or a height field"):
        dim3.crossing_segments(box, ball)
    with pytest.raises(ValueError, match="a.shape is a ball"):
        ball.self_crossings()
    with pytest.raises(ValueError, match="effort"):
        box.self_crossings(effort=-1)
