// The configuration of TCP at an end of a link.
import { release } from "node:os";
import { afterAll, expect, test } from "vitest";
import { linkDefaults } from "../src/study/link-settings.ts";
import { memoryPerByte, setTcp } from "../src/link/kernel/tcp.ts";
import { recordingEnd } from "./support/recording-end.ts";

/** Answers what `ip` would: its device, and the size of its packets. */
const end = recordingEnd("10.0.0.2 dev veth1 mtu 1500");
afterAll(() => end[Symbol.dispose]());

/** The limits of memory that were written. */
function written(): readonly string[] {
  return end.take().flatMap((line) => / sh \/proc\/sys\/net\/ipv4\/(tcp_[rw]mem .*)$/.exec(line)?.[1] ?? []);
}

test.each([
  ["5.15.0-91-generic", 2],
  ["4.19.0", 2],
  ["6.5.13", 2],
  ["6.6.1", 2_304 / 1_448],
  ["6.12.8", 2_304 / 1_448],
  ["7.0.0", 2_304 / 1_448],
])("a kernel %s counts %d bytes of memory for a byte of a window", (kernel, bytes) => {
  expect(memoryPerByte(kernel)).toBe(bytes);
});

test("a receiver has the memory for its window, and a sender the usual one while that holds all that is under way", async () => {
  const receiveWindowBytes = 2 * 2 ** 20;
  expect(await setTcp(end.commandPrefix, "10.0.0.2", { ...linkDefaults, receiveWindowBytes })).toEqual({
    device: "veth1",
    mtuBytes: 1_500,
  });
  const memory = Math.round(receiveWindowBytes * memoryPerByte(release()));
  expect(written()).toEqual([`tcp_rmem 4096 ${memory} ${memory}`]);
});

test("a sender has four times a window that exceeds the usual one", async () => {
  await setTcp(end.commandPrefix, "10.0.0.2", { ...linkDefaults, receiveWindowBytes: 4 * 2 ** 20 });
  expect(written().at(-1)).toBe(`tcp_wmem 4096 16384 ${16 * 2 ** 20}`);
});

test("the machine's own limits hold where no window is asked for", async () => {
  await setTcp(end.commandPrefix, "10.0.0.2", linkDefaults);
  expect(written()).toEqual([]);
});
