// What each program checks, and how it says what it found: a line for each cell.
import assert from "node:assert/strict";

export { assert };
export const env = process.env as Record<string, string>;
export const hotelOf = (client: string) => ({
  displayName: `Client ${client}`,
  stars: 3,
  address: { city: "Bern", postalCode: "3000", countryCode: "CH" },
});

/** Prints the name of a resource that another style has to know. */
export function created(name: string | undefined): void {
  console.log(`created ${name}`);
}

export async function report(cells: Readonly<Record<string, () => unknown>>): Promise<void> {
  for (const [name, check] of Object.entries(cells)) {
    try {
      await check();
      console.log(`${name} ok`);
    } catch (thrown) {
      console.log(`${name} ${String(thrown).replaceAll(/\s+/g, " ").slice(0, 300)}`);
    }
  }
  process.exit(0);
}

/** The first line or event of a stream that has this text. */
export async function firstOf(stream: ReadableStream<Uint8Array>, text: string): Promise<string> {
  let read = "";
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
    read += new TextDecoder().decode(bytes);
    if (read.includes(text)) return read;
  }
  throw new Error(`the stream ended with ${read}`);
}
