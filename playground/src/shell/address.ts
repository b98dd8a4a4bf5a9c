// The part of the page's address after the #: the room, and what it shows. Long texts are deflated.

const CHUNK = 0x8000;

/** Deflates a text into letters that an address may have. */
export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text that was packed; fails if the letters are not such a text. */
export async function unpack(letters: string): Promise<string> {
  const binary = atob(letters.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  const whole = await through(bytes, new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true }).decode(whole);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const result = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(result).arrayBuffer());
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
