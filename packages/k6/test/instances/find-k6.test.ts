// Which k6 is used, and the error for a user without one.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findK6 } from "../../src/instances/find-k6.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "find-k6-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that says this when it is asked for its version, where Go puts what it installs. */
function k6That(says: string): NodeJS.ProcessEnv {
  const home = mkdtempSync(join(folder, "go-"));
  const path = join(home, "k6");
  writeFileSync(path, `#!/bin/sh\n${says}\n`);
  chmodSync(path, 0o755);
  return { PATH: "/usr/bin:/bin", GOBIN: home, GOPATH: home };
}

test.each([
  ["k6 v1.8.1 (go1.26.3, linux/amd64)", "v1.8.1", 1],
  ["k6 v2.0.0 (commit/3cc3, go1.26.3, linux/arm64)", "v2.0.0", 2],
  ["k6 v2.1.0-rc1+dirty (go1.27, linux/amd64)", "v2.1.0-rc1+dirty", 2],
])("%s is taken", async (says, version, major) => {
  expect(await findK6(k6That(`echo '${says}'`))).toMatchObject({ version, major });
});

test.each([
  [
    "echo 'k6 v0.57.0 (go1.23, linux/amd64)'",
    /is k6 v0\.57\.0; k6 1\.x or 2\.x is required, "go install go\.k6\.io\/k6@v1\.8\.1" installs one$/,
  ],
  ["echo 'k6 v3.0.0 (go1.30, linux/amd64)'", /is k6 v3\.0\.0; k6 1\.x or 2\.x is required/],
  ["echo 'a game of six'", /is k6 "a game of six"; k6 1\.x or 2\.x is required/],
  ["exit 1", /version" failed/],
])("one that says %j is refused, with what helps", async (says, message) => {
  await expect(findK6(k6That(says))).rejects.toMatchObject({ code: "no-k6", message: expect.stringMatching(message) });
});

test("a missing k6 is reported with one command that installs it", async () => {
  const empty = mkdtempSync(join(folder, "empty-"));
  await expect(findK6({ PATH: empty, GOBIN: empty, GOPATH: empty })).rejects.toMatchObject({
    code: "no-k6",
    message: 'k6 is not installed; "go install go.k6.io/k6@v1.8.1" installs it',
  });
});
