// The configuration of an end of a link, so that packets leave no faster than the line carries.
import { afterAll, expect, test } from "vitest";
import { paceLine, queueBytes } from "../src/link/kernel/emulators.ts";
import { recordingEnd } from "./support/recording-end.ts";

const end = recordingEnd();
afterAll(() => end[Symbol.dispose]());

test("packets leave at the link's bandwidth, some twenty at once; a quarter of a second of it may wait", async () => {
  await paceLine(end.commandPrefix, "veth1", { bandwidthMbps: 200 });
  expect(end.take()).toEqual(["tc qdisc replace dev veth1 root tbf rate 200000kbit burst 32768 limit 6250000"]);
});

test("a slow line can still queue one flight of a full window", async () => {
  await paceLine(end.commandPrefix, "veth1", { bandwidthMbps: 0.1 });
  expect(end.take()[0]).toMatch(/ rate 100kbit .* limit 65536$/);
  expect(queueBytes(0.1)).toBe(65_536);
});

test("a link without a bandwidth is left as it is", async () => {
  await paceLine(end.commandPrefix, "veth1", { bandwidthMbps: undefined });
  expect(end.take()).toEqual([]);
});

test("an end that cannot be configured is an error with the message of its tool", async () => {
  const refusing = ["sh", "-c", "echo Unknown qdisc >&2; exit 2", "sh"];
  await expect(paceLine(refusing, "veth1", { bandwidthMbps: 100 })).rejects.toMatchObject({
    code: "link-unavailable",
    message: expect.stringContaining("Unknown qdisc"),
  });
});
