// Logs that hardly have lines, and packed ones that unpack to far more: skipped or refused, in time that grows with the file.
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { thingShop } from "./support/thing-shop.ts";
import { refusal } from "./support/outcomes.ts";

const request = '192.0.2.7 - - [12/May/2025:09:00:01 +0000] "GET /v1/things/7 HTTP/1.1" 200 2';

async function tasksOf(name: string, write: (path: string) => void) {
  const cwd = folderWith({ "shop.proto": thingShop });
  write(join(cwd, name));
  return run(["tasks", name, "--contract", "shop.proto", "--out", "day.yaml", "--json"], { cwd });
}

it("a line that is too long is skipped, and the ones around it are read", async () => {
  const { status, stdout } = await tasksOf("day.log.gz", (path) => {
    const long = "a".repeat(5 * 2 ** 20);
    writeFileSync(path, gzipSync([request, long, request, `${request}${" ".repeat(2 ** 20)}`, request].join("\n")));
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ requests: 3, mapped: 3, otherLines: 2 });
});

it("a file without lines is refused", async () => {
  const outcome = await tasksOf("day.log", (path) => {
    writeFileSync(path, "");
    truncateSync(path, 257 * 2 ** 20);
  });
  expect(refusal(outcome)).toBe("cannot read the log day.log: a line has more than 256 MiB, so it is not a log");
});

it.each([
  ["without lines", "\0"],
  ["of empty lines", "\n"],
])("a packed file that unpacks to far more is refused, %s", async (_what, character) => {
  const outcome = await tasksOf("day.log.gz", (path) => {
    const piece = gzipSync(Buffer.alloc(64 * 2 ** 20, character), { level: 9 });
    writeFileSync(path, Buffer.concat([piece, piece]));
  });
  expect(refusal(outcome)).toBe("cannot read the log day.log.gz: it unpacks to more than 400 times its size");
});
