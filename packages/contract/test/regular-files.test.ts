import { execFileSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeEach, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { FileRefusal, readBytes, regularFileStream, requireRegularFile } from "../src/basics/regular-files.ts";

let path = "";
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), "roundtrip-files-")), "file");
});

describe("a regular file", async () => {
  it.each([0, 1, 65_536, 200_000])("of %d bytes is read whole up to the limit, and refused above it", (size) => {
    const bytes = Buffer.alloc(size, "a");
    writeFileSync(path, bytes);
    expect(readBytes(path, size).equals(bytes)).toBe(true);
    appendFileSync(path, "b");
    expect(() => readBytes(path, size)).toThrow(FileRefusal);
  });

  it("of the kernel, which has no size, is read to its end", await needing("linux"), () => {
    expect(readBytes("/proc/self/status", 65_536).toString()).toMatch(/^Name:/);
    expect(() => readBytes("/proc/self/status", 100)).toThrow("it is larger than");
  });

  it("is streamed as it is when it is opened", async () => {
    writeFileSync(path, "one");
    const stream = regularFileStream(path);
    appendFileSync(path, "two");
    expect((await buffer(stream)).toString()).toBe("one");
  });
});

describe("anything else", async () => {
  const onLinux = await needing("linux");

  it.each<readonly [kind: string, make: () => void]>([
    ["a pipe", () => void execFileSync("mkfifo", [path])],
    ["a device", () => symlinkSync("/dev/zero", path)],
    ["a directory", () => symlinkSync(".", path)],
  ])("such as %s is refused, and left closed", onLinux, (kind, make) => {
    make();
    const opened = readdirSync("/proc/self/fd").length;
    const why = `it is ${kind}, not a file`;
    expect(() => readBytes(path, 10)).toThrow(why);
    expect(() => regularFileStream(path)).toThrow(why);
    expect(() => requireRegularFile(path)).toThrow(why);
    expect(readdirSync("/proc/self/fd")).toHaveLength(opened);
  });
});
