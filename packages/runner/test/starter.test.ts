// Whether a program that watches its starter mistakes a failed look for a starter that has ended.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const watching = fileURLToPath(new URL("support/without-files-process.ts", import.meta.url));
/** Two shells that stay between, as a package manager's script has them: the parent alone is known without a look at files. */
const between = `ulimit -n 64; sh -c '"$@"; true' sh "$@"; true`;

it("keeps its starter while it has no free file descriptor", async () => {
  const shell = ["-c", between, "sh", process.execPath, watching];
  const child = spawn("sh", shell, { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  expect(await text(child.stdout)).toBe("EMFILE: still there\n");
});
