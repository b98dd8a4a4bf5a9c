// How the graphics card places bodies and gives them colour and light.

import { DoubleSide, GLSL3, RawShaderMaterial, type Side } from "three";
import { type Palette, Tint } from "./colours";

/** Colours of bodies. */
const PALETTE = Tint.pale + 1;
/** Texels in a row of the texture of poses: an even number, so that no body's two are torn apart. */
export const ROW = 1024;

/** Where the pose of a vertex comes from. */
export type PosesFrom = "instances" | "texture";

const POSE = {
  instances: `
in vec4 place;
in vec4 turn;
void pose(out vec4 translation, out vec4 rotation) {
  translation = place;
  rotation = turn;
}`,
  texture: `
uniform highp sampler2D poses;
in float body;
void pose(out vec4 translation, out vec4 rotation) {
  int texel = int(body) * 2;
  ivec2 place = ivec2(texel % ${ROW}, texel / ${ROW});
  translation = texelFetch(poses, place, 0);
  rotation = texelFetch(poses, place + ivec2(1, 0), 0);
}`,
};

/** The light on a face, by the normal of its last vertex; a face that is seen from behind is lit, too. */
const LIGHT = `
in vec3 normal;
float light(vec4 rotation, vec3 seen) {
  vec3 lit = mat3(viewMatrix) * turned(rotation, normal);
  lit = dot(lit, seen) > 0.0 ? -lit : lit;
  return 0.62 + 0.3 * lit.z + 0.16 * lit.y - 0.08 * lit.x;
}`;

const NO_LIGHT = "float light(vec4 rotation, vec3 seen) { return 1.0; }";

function vertexShader(from: PosesFrom, light: string): string {
  return `
precision highp float;
precision highp int;
uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 palette[${PALETTE}];
in vec3 position;
flat out vec3 tint;
flat out int number;
${POSE[from]}
vec3 turned(vec4 rotation, vec3 vector) {
  return vector + 2.0 * cross(rotation.xyz, cross(rotation.xyz, vector) + rotation.w * vector);
}
${light}
void main() {
  vec4 translation;
  vec4 rotation;
  pose(translation, rotation);
  vec4 seen = viewMatrix * vec4(turned(rotation, position) + translation.xyz, 1.0);
  number = int(translation.w);
  tint = palette[number] * light(rotation, seen.xyz);
  gl_Position = projectionMatrix * seen;
}`;
}

/** What is pale has one of four pixels: one sees through it in whichever order it is drawn. */
const ONE_COLOUR = `
precision highp float;
precision highp int;
flat in vec3 tint;
flat in int number;
uniform float opacity;
out vec4 colour;
void main() {
#ifdef PALE
  if (number == ${Tint.pale} && any(equal(ivec2(gl_FragCoord.xy) & 1, ivec2(1)))) {
    discard;
  }
#endif
  colour = vec4(tint, opacity);
}`;

function parts(vertexShader: string, opacity: number) {
  return {
    glslVersion: GLSL3,
    vertexShader,
    fragmentShader: ONE_COLOUR,
    uniforms: { poses: { value: null }, palette: { value: [] }, opacity: { value: opacity } },
  };
}

/** Bodies in space: lit, and hidden by what is nearer. */
export function solid(from: PosesFrom, side: Side): RawShaderMaterial {
  return new RawShaderMaterial({ ...parts(vertexShader(from, LIGHT), 1), side });
}

/** Bodies in the plane, and lines: one shows through the other. */
export function translucent(from: PosesFrom): RawShaderMaterial {
  return new RawShaderMaterial({
    ...parts(vertexShader(from, NO_LIGHT), 0.55),
    side: DoubleSide,
    transparent: true,
    depthTest: false,
    depthWrite: false,
  });
}

/** The materials of a world's bodies. */
export interface Looks {
  /** Faces of closed shapes, which are seen from outside only. */
  closed: RawShaderMaterial;
  open: RawShaderMaterial;
  lines: RawShaderMaterial;
}

/** Lets pale bodies be seen through. Where there are none, faces need not be asked. */
export function showPale(looks: Looks, pale: boolean): void {
  for (const look of [looks.closed, looks.open, looks.lines]) {
    if ("PALE" in look.defines !== pale) {
      look.defines = pale ? { PALE: 1 } : {};
      look.needsUpdate = true;
    }
  }
}

export function colour(looks: Looks, palette: Palette, flat: boolean): void {
  looks.closed.uniforms.palette = { value: palette.bodies };
  looks.open.uniforms.palette = { value: palette.bodies };
  const outlines = flat ? palette.bodies.map(() => palette.edges) : palette.bodies;
  looks.lines.uniforms.palette = { value: outlines };
}
