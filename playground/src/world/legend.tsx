// What the colours of contacts mean, with their units.

import { contactScale } from "../drawing/colours";
import { short } from "../shell/numbers";
import type { WorldSession } from "./session";

export function ContactLegend({ session }: { session: WorldSession }) {
  const { contacts, normals } = session.layers.shown.value;
  const margin = session.loaded.value?.margin ?? 0;
  if (!contacts && !normals) {
    return null;
  }
  const scale = contactScale();
  const style = (from: string, to: string) => `background: linear-gradient(to right, ${from}, ${to})`;
  return (
    <figure class="legend" aria-label="Legend of contacts">
      <figcaption>Distance in units of the scene</figcaption>
      <div class="scale" aria-hidden="true">
        <i style={style(scale.deep.getStyle(), scale.shallow.getStyle())} />
        <i style={style(scale.near.getStyle(), scale.far.getStyle())} />
      </div>
      <div class="ends">
        <span>≤ {short(-session.depth, 2)}</span>
        <span>overlap 0 gap</span>
        <span>{short(margin, 2)} (margin)</span>
      </div>
      {normals && <p class="normals">Normals point from the first body to the second.</p>}
    </figure>
  );
}
