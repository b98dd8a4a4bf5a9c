// The part of the page's address after the #: the room, and what it shows. Long texts are deflated.

const CHUNK = 0x8000;
/** An address of a few letters may stand for a text that no page could hold. */
export const LONGEST_TEXT = 16_000_000;

/** What an address shares is longer than a page takes. */
export class TooLong extends Error {}

/** Deflates a text into letters that an address may have. */
export async function pack(text: string): Promise<string> {
  const written = new TextEncoder().encode(text);
  const bytes = await through(written, new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text that was packed; fails if the letters are not such a text, or if it is longer than is taken. */
export async function unpack(letters: string): Promise<string> {
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const whole = await through(bytes, new DecompressionStream("deflate-raw"), LONGEST_TEXT);
  return new TextDecoder("utf-8", { fatal: true }).decode(whole);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new Uint8Array(await new Blob(parts).arrayBuffer());
    }
    parts.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new TooLong(
        `What this address shares has more than ${most / 1e6} million letters when it is unpacked, and these are the most. Open it as a file instead.`,
      );
    }
  }
}

export function readAddress(hash: string): Map<string, string> {
  return new Map(new URLSearchParams(hash.replace(/^#/, "")));
}

/** An address like this page's, with these fields after the #. */
export function addressOf(fields: Record<string, string>): string {
  const address = new URL(window.location.href);
  address.hash = new URLSearchParams(fields).toString();
  return address.href;
}

/** The address of a game's inspector as a page was given it. */
export function liveAddress(text: string): string {
  const address = URL.parse(text);
  if (!address || !/^wss?:$/.test(address.protocol) || address.hostname === "" || text.includes("#")) {
    throw new Error(
      `live: is “${text}”, must be the address of a game's inspector, such as ws://127.0.0.1:40123`,
    );
  }
  return address.href;
}
