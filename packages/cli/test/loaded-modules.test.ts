// What the program loads before it does anything: starting it costs no more than that.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { commandNames } from "../src/program/program.ts";
import { cleanEnvironment, emptyFolder } from "./support/run-program.ts";

const hook = new URL("support/noted-modules.ts", import.meta.url).href;
const program = fileURLToPath(new URL("../bin/roundtrip.js", import.meta.url));

/** Files and packages that the program loads with these arguments, `src/options/help.ts` or `commander/lib/help.js` say. */
function loadedBy(...args: readonly string[]): readonly string[] {
  const file = join(mkdtempSync(join(tmpdir(), "roundtrip-modules-")), "urls");
  // Settings are held against the flags of all commands.
  const { ROUNDTRIP_WARM_UP: _, ...environment } = cleanEnvironment();
  execFileSync(process.execPath, ["--import", hook, program, ...args], {
    cwd: emptyFolder(),
    env: { ...environment, MODULES_FILE: file },
  });
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

/** What a fake loads until it prints its addresses, or until it waits for calls. */
async function loadedUntil(what: "ready" | "idle"): Promise<readonly string[]> {
  const file = join(mkdtempSync(join(tmpdir(), "roundtrip-modules-")), "urls");
  const child = spawn(process.execPath, ["--import", hook, program, "fake", "--port", "0"], {
    cwd: emptyFolder(),
    env: { ...cleanEnvironment(), MODULES_FILE: file, MODULES_UNTIL: what === "ready" ? "output" : "idle" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  if (what === "ready") child.kill("SIGKILL");
  child.stdout.resume();
  await ended;
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

/** Libraries of styles, of names and of rules beyond plain ones, which a fake loads with a request or when it is idle. */
const laterInFakes =
  /node_modules\/(?:@grpc|express|@apollo|graphql|@connectrpc|@faker-js|undici|yaml|zod|@bufbuild\/(?:cel|protovalidate|re2))\//;

/** Of those, what a fake leaves to the first request that wants it: they take as much memory as the rest. */
const withRequests = /node_modules\/(?:graphql|saxes|@bufbuild\/(?:cel|re2))\/|styles\/src\/(?:json-rpc|soap)\/server/;

/** A fake is ready in half a second, of which each module takes about a millisecond. */
const mostUntilReady = 400;

/** Libraries that serve, call, measure, render or make things up. */
const heavy =
  /node_modules\/(?:linkedom|@observablehq|d3-|hyparquet|@grpc|express|@as-integrations|@apollo|graphql|@faker-js|undici|@bufbuild|yaml|autocannon)/;

describe("the program loads", () => {
  it.each([
    ["describe SayHello --stack rest", ["rest/libraries"]],
    ["describe SayHello --stack express+undici", ["rest/libraries"]],
    ["describe SayHello --stack grpc-js,rest-express", ["grpc/libraries", "rest/libraries"]],
  ])("the descriptions of the selected styles, and no libraries, for %s", (line, expected) => {
    const folders = loadedBy(...line.split(" ")).flatMap(
      (url) => /packages\/stacks\/src\/([^/]+\/(?:libraries|servers\/[^/]+|clients\/[^/]+))\.ts/.exec(url)?.[1] ?? [],
    );
    expect([...new Set(folders)].toSorted()).toEqual(expected);
  });

  it.each(["--version", "--help", ...commandNames().map((name) => `${name} --help`), "complete --help"])(
    "no library that serves, calls, measures or renders for %s",
    (line) => {
      const loaded = loadedBy(...line.split(" "));
      expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
    },
  );

  it("no library of a style before a fake is ready", async () => {
    const loaded = await loadedUntil("ready");
    expect(loaded.filter((url) => laterInFakes.test(url))).toEqual([]);
    expect(loaded.length).toBeLessThan(mostUntilReady);
  });

  it("small servers and what makes answers up before the first request of a fake, and no more", async () => {
    const loaded = await loadedUntil("idle");
    expect(loaded.filter((url) => withRequests.test(url))).toEqual([]);
    for (const part of ["rest/servers/node-http", "connect/servers/connect-node", "@faker-js"])
      expect(loaded.filter((url) => url.includes(part))).not.toEqual([]);
  });
});

it("a fake keeps its compiled code while it runs: it may be killed", async () => {
  const home = emptyFolder();
  const kept = join(home, "roundtrip", "program");
  mkdirSync(kept, { recursive: true });
  const changes = watch(kept, { recursive: true });
  const child = spawn(process.execPath, [program, "fake", "--port", "0"], {
    cwd: emptyFolder(),
    env: { ...cleanEnvironment(), NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: home },
    stdio: ["ignore", "ignore", "inherit"],
  });
  // Its first file, in the folder of a version of Node.js.
  for await (const { filename } of changes) if (/[\\/][0-9a-f]{1,8}$/.test(filename ?? "")) break;
  expect(child.exitCode).toBeNull();
  child.kill("SIGKILL");
  await once(child, "exit");
});
