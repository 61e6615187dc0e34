// The configuration of an end of a link, so that packets leave no faster than the line carries.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { paceLine, queueBytes } from "../src/link/kernel/paced-line.ts";

const folder = mkdtempSync(join(tmpdir(), "roundtrip-line-"));
const said = join(folder, "said");
/** An end that records its commands instead of running them. */
const end = ["sh", "-c", `printf "%s\\n" "$*" >> ${said}`, "sh"];

const heard = (): readonly string[] => {
  try {
    return readFileSync(said, "utf8").trimEnd().split("\n");
  } catch {
    return [];
  }
};

beforeEach(() => rmSync(said, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

test("packets leave at the link's bandwidth, some twenty at once; a quarter of a second of it may wait", async () => {
  await paceLine(end, "veth1", { bandwidthMbps: 200 });
  expect(heard()).toEqual(["tc qdisc replace dev veth1 root tbf rate 200000kbit burst 32768 limit 6250000"]);
});

test("a slow line can still queue one flight of a full window", async () => {
  await paceLine(end, "veth1", { bandwidthMbps: 0.1 });
  expect(heard()[0]).toMatch(/ rate 100kbit .* limit 65536$/);
  expect(queueBytes(0.1)).toBe(65_536);
});

test("a link without a bandwidth is left as it is", async () => {
  await paceLine(end, "veth1", { bandwidthMbps: undefined });
  expect(heard()).toEqual([]);
});

test("an end that cannot be configured is an error with the message of its tool", async () => {
  const refusing = ["sh", "-c", "echo Unknown qdisc >&2; exit 2", "sh"];
  await expect(paceLine(refusing, "veth1", { bandwidthMbps: 100 })).rejects.toMatchObject({
    code: "link-unavailable",
    message: expect.stringContaining("Unknown qdisc"),
  });
});
