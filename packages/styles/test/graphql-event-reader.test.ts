// Server-sent events as any server may write them, cut into pieces anywhere.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readEvents, type ServerSentEvent } from "../src/shared/http/event-reader.ts";
import { caught } from "../../stacks/test/support/pair.ts";

async function* pieces(body: Buffer, cuts: readonly number[]): AsyncGenerator<Buffer> {
  const ends = [...new Set(cuts.map((cut) => cut % (body.length + 1)))].toSorted((a, b) => a - b);
  for (const [index, end] of [...ends, body.length].entries()) {
    yield await Promise.resolve(body.subarray(ends[index - 1] ?? 0, end));
  }
}

async function events(body: string, cuts: readonly number[] = [], maxBytes = 10_000): Promise<ServerSentEvent[]> {
  return Array.fromAsync(readEvents(pieces(Buffer.from(body), cuts), maxBytes));
}

const lineEnds = ["\n", "\r\n"] as const;

test("reads the same events from pieces of any size", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((some) => some.replaceAll(/[\r\n]/g, ""));
  const cuts = fc.array(fc.nat(), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), fc.constantFrom(...lineEnds), cuts, async (all, end, at) => {
      const body = all.map((data) => `:${end}${end}event: next${end}data: ${data}${end}${end}`).join("");
      const expected = all.map((data) => ({ event: "next", data }));
      expect(await events(body, at)).toEqual(expected);
      const everywhere = Array.from({ length: Buffer.byteLength(body) }, (_, place) => place);
      expect(await events(body, everywhere)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test("ignores comments, joins lines of data, and accepts events without data", async () => {
  expect(await events(":\n\nevent: next\ndata: a\ndata:b\nid: 7\n\nevent: complete\n\ndata: x\n\nevent: cut")).toEqual([
    { event: "next", data: "a\nb" },
    { event: "complete", data: "" },
    { event: "message", data: "x" },
  ]);
});

test.each([
  { what: "that ends", body: `data: ${"é".repeat(60)}\n\n` },
  { what: "without an end", body: `data: ${"x".repeat(500)}` },
])("an event $what is refused when it is larger than allowed", async ({ body }) => {
  expect((await caught(events(body, [], 100))).code).toBe("RESOURCE_EXHAUSTED");
  expect(await events(`data: ${"x".repeat(100)}\n\n`.repeat(9), [], 100)).toHaveLength(9);
});
