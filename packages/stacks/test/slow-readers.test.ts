// Who does not read a stream holds its sender back: the server makes no more of it than what is under way, whatever others read meanwhile, and goes on as
// soon as it is read.
import { describe, expect, test } from "vitest";
import { loadStack } from "../src/index.ts";
import { clientOf, pairOf, stacksUnderTest } from "./support/pair.ts";
import { conformanceService, download, item } from "./support/streams.ts";

const data = new Uint8Array(128 * 1024);
/** 20 MiB: far more than sockets and windows hold. */
const count = 160;

const stacks = await Promise.all(stacksUnderTest().map(({ name }) => loadStack(name)));
const ways = stacks
  .filter(({ limitations }) => !limitations.some(({ feature }) => feature === "serverStream"))
  .flatMap(({ name, settings }) => {
    const hasForms = settings.some((setting) => setting.name === "streamForm");
    return hasForms
      ? ["lines", "events"].map((streamForm) => ({ name, settings: { streamForm } }))
      : [{ name, settings: {} }];
  });

describe.each(ways)("$name $settings.streamForm", ({ name, settings }) => {
  test("makes a part of a stream that is not read, while another is read whole", async () => {
    const made = { unread: 0, read: 0 };
    const service = conformanceService({
      async *download(_request, { metadata }) {
        const reader = metadata.get("x-reader") === "unread" ? "unread" : "read";
        for (; made[reader] < count; made[reader] += 1) yield item({ index: made[reader], data });
      },
    });
    const { server, client } = await pairOf(name, service, { serve: { maxUnreadMs: 600_000 }, connect: { settings } });
    const unread = download(client, {}, { metadata: new Map([["x-reader", "unread"]]) })[Symbol.asyncIterator]();
    await unread.next();
    const other = await clientOf(name, service, { url: server.url, settings });
    let read = 0;
    for await (const _ of download(other, {})) read += 1;
    expect(read).toBe(count);
    expect(made.unread).toBeLessThan(0.75 * count);
    for (let next = await unread.next(); next.done !== true; next = await unread.next()) read += 1;
    expect([read, made]).toEqual([2 * count - 1, { unread: count, read: count }]);
  });
});
