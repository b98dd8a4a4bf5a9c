// The part of the page's address that opens a pair or a scene, as playground/src/shell/address.ts reads it.

import { deflateRawSync } from "node:zlib";

/** After the # of the page's address: a pair opens in the stepper, a scene in the world. */
export function addressOf(text) {
  const letters = deflateRawSync(text).toString("base64url");
  return "bodies" in JSON.parse(text) ? `room=world&scene=${letters}` : `room=stepper&pair=${letters}`;
}
