// What is known of the selected body or contact.

import { addressOf, pack } from "../shell/address";
import { attempt, copy } from "../shell/notice";
import { exact, list } from "../shell/numbers";
import { openInStepper } from "../shell/router";
import type { WorldSession } from "./session";

export function Inspect({ session }: { session: WorldSession }) {
  const selection = session.selection.value;
  return (
    <details open>
      <summary>Inspect</summary>
      {selection === null && <p class="small">Click a body or a contact. Drag a body to move it.</p>}
      {selection?.kind === "body" && <Body session={session} />}
      {selection?.kind === "contact" && <Contact session={session} />}
    </details>
  );
}

function Body({ session }: { session: WorldSession }) {
  const body = session.body.value;
  if (!body) {
    return <p class="small">…</p>;
  }
  return (
    <div data-inspected="body" data-index={body.index}>
      <table class="facts">
        <tbody>
          <Row name="body">
            {body.index} (id {body.id})
          </Row>
          {session.names.value.has(body.id) && (
            <Row name="name">
              <span data-field="name">{session.names.value.get(body.id)}</span>
            </Row>
          )}
          <Row name="kind">
            {body.kind}
            {body.swept ? ", swept" : ""}
          </Row>
          <Row name="shape">{body.shape_kind}</Row>
          <Row name="translation">
            <span data-field="translation">{list(body.translation, 6)}</span>
          </Row>
          <Row name="rotation (x y z w)">{list(body.rotation)}</Row>
          <Row name="velocity (units/s)">{list(body.linear)}</Row>
          <Row name="turning (rad/s)">{list(body.angular)}</Row>
          {body.bounds && (
            <Row name="box">
              {list(body.bounds.min)} to {list(body.bounds.max)}
            </Row>
          )}
          {body.extra_margin > 0 && <Row name="extra margin">{exact(body.extra_margin)}</Row>}
        </tbody>
      </table>
      {body.shape === null && (
        <p class="small">
          The shape is the game's own, or too large to be shown as text. In a recording or a live world,
          shapes of the game's own are drawn as the box around them, and their contacts are not compared.
        </p>
      )}
      {body.shape !== null && (
        <details>
          <summary>Shape as a scene file has it</summary>
          <pre>{JSON.stringify(body.shape)}</pre>
        </details>
      )}
      <p class="small">
        {body.contacts.length === 0 ? "No contacts." : "Contacts: "}
        {body.contacts.slice(0, 24).map((number) => (
          <button type="button" class="link" key={number} onClick={() => session.selectContact(number)}>
            {session.other(number, body.index)}
          </button>
        ))}
      </p>
    </div>
  );
}

function Contact({ session }: { session: WorldSession }) {
  const contact = session.contact.value;
  const selection = session.selection.value;
  if (!contact) {
    const pair = selection?.kind === "contact" ? `${selection.a} and ${selection.b}` : "";
    return <p class="small">Bodies {pair} are farther apart than the margin in this frame.</p>;
  }
  const { pair } = contact;
  return (
    <div data-inspected="contact">
      <table class="facts">
        <tbody>
          <Row name="bodies">
            <BodyLink session={session} index={contact.a} id={contact.id_a} />
            <BodyLink session={session} index={contact.b} id={contact.id_b} />
          </Row>
          <Row name="distance">
            <span data-field="distance">{exact(contact.distance)}</span>
          </Row>
          <Row name="proven between">
            {exact(contact.lower)} and {exact(contact.upper)}
          </Row>
          <Row name="status">{contact.status}</Row>
          <Row name="point on a">{list(contact.point_a, 6)}</Row>
          <Row name="point on b">{list(contact.point_b, 6)}</Row>
          <Row name="normal">{list(contact.normal, 6)}</Row>
          <Row name="parts">
            {contact.part_a} and {contact.part_b}
          </Row>
        </tbody>
      </table>
      {pair !== null ? (
        <>
          <div class="fields">
            <button type="button" onClick={() => attempt(() => copy(pair, "Pair", "in the panel"))}>
              Copy as pair
            </button>
            <button type="button" onClick={() => openInStepper(pair)}>
              Open in the stepper
            </button>
            <button
              type="button"
              onClick={() =>
                attempt(async () => {
                  const address = addressOf({ room: "stepper", pair: await pack(pair) });
                  history.replaceState(null, "", address);
                  await copy(address, "Address of this pair", "in the address bar");
                })
              }
            >
              Share
            </button>
          </div>
          <label class="small">
            The line for <code>clearance query</code>
            <textarea readOnly rows={3} value={pair} data-field="pair" />
          </label>
        </>
      ) : (
        <p class="small">One of the shapes is the game's own: no line of a pair file can hold it.</p>
      )}
    </div>
  );
}

function Row({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{children}</td>
    </tr>
  );
}

function BodyLink({ session, index, id }: { session: WorldSession; index: number | null; id: string }) {
  const name = session.names.value.get(id) ?? "";
  if (index === null) {
    return (
      <span>
        {name} (id {id})
      </span>
    );
  }
  return (
    <button type="button" class="link" onClick={() => session.select({ kind: "body", index })}>
      {name} {index} (id {id})
    </button>
  );
}
