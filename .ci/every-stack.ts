// Runs on the other stacks what the tests run on default stacks: all conformance cases, in plain text and over TLS, and the REST tests. Skips REST
// tests of stacks whose server and client are both not default, because each of them is tested with a default.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { allStacks, type KnownStack } from "../packages/stacks/src/index.ts";

interface Job {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const isCrossed = (stack: KnownStack): boolean =>
  allStacks().some(
    ({ isDefault, style, server, client }) =>
      isDefault && style === stack.style && (server === stack.server || client === stack.client),
  );

const stacks = allStacks().filter(({ isDefault }) => !isDefault);
const conform = ["packages/cli/bin/roundtrip.js", "conform", ...stacks.map(({ name }) => name), "--quiet"];

/** Whether a test uses the stack in `REST_STACK`, and does not cover every server and client anyway. */
function isOfRest(file: string): boolean {
  const text = readFileSync(file, "utf8");
  return text.includes("./support/rest-stack.ts") && !/\bcoveringStacks\(\)/.test(text);
}

const testsOfRest = globSync("packages/stacks/test/*.test.ts").filter(isOfRest).toSorted();

const jobs: readonly Job[] = [
  { name: "conformance", args: conform, environment: {} },
  { name: "conformance over TLS", args: [...conform, "--tls"], environment: {} },
  ...stacks
    .filter((stack) => stack.style === "rest" && isCrossed(stack))
    .map(({ name }) => ({
      name: `tests of REST on ${name}`,
      args: ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", ...testsOfRest],
      environment: { REST_STACK: name },
    })),
];

for (const { name, args, environment } of jobs) {
  const startedAt = performance.now();
  console.log(`${name}:`);
  const child = spawn(process.execPath, args, { stdio: "inherit", env: { ...process.env, ...environment } });
  // oxlint-disable-next-line no-await-in-loop -- each keeps all cores busy
  const [status] = (await once(child, "exit")) as [number | null];
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${status === 0 ? "ok" : "FAILED"}: ${name}, ${seconds} s`);
  if (status !== 0) process.exitCode = 1;
}
