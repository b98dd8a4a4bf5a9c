// What is drawn besides the bodies.

export interface Shown {
  contacts: boolean;
  normals: boolean;
  boxes: boolean;
  tree: boolean;
  level: number;
}
