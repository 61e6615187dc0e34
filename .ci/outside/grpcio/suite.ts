// The grpcio suite (gRPC for Python): calls every method that reflection lists, then every kind of stream of the conformance contract.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "../../../packages/runner/src/lifetime/ends-with-us.ts";
import { pythonWith } from "../python-environment.ts";
import { servedBy } from "../served-stacks.ts";
import type { Suite } from "../suite.ts";

interface Check {
  readonly id: string;
  readonly about: string;
  readonly ok: boolean;
  readonly said?: string;
}

/** Checks take seconds; after this many milliseconds the program hangs. */
const longestMs = 120_000;
const style = "grpc";
const here = (name: string): string => join(import.meta.dirname, name);
const program = "call_every_method.py";
const version = /^grpcio==(.+)$/m.exec(readFileSync(here("requirements.in"), "utf8"))?.[1] ?? "";

/** The number of checks of the Python program on two servers: those of a service count once, general ones twice. */
function checksIn(source: string): number {
  const services = [...source.matchAll(/^@check\(("")?/gm)];
  return services.reduce((sum, [, every]) => sum + (every === undefined ? 1 : 2), 0);
}

/** Runs the Python program on the server at a URL. Ids include the contract. */
async function checksOf(python: string, contract: string, url: string): Promise<readonly Check[]> {
  const command = [here(program), new URL(url).host];
  const running = promisify(execFile)(python, command, { timeout: longestMs });
  using _ = atExit(() => running.child.kill());
  const { stdout } = await running;
  const checks = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Check);
  return checks.map((check) => ({ ...check, id: `${contract} ${check.id}` }));
}

export const suite: Suite = {
  about: "gRPC by gRPC's own library for Python, with every method in its reflection and every kind of stream",
  styles: [style],
  tools: ["python"],
  allowed: [],
  size: checksIn(readFileSync(here(program), "utf8")),
  async run(environment) {
    const python = pythonWith(here("requirements.txt"));
    const streams = await servedBy(here("serve.ts"), environment.stack(style));
    const checks: Check[] = [];
    try {
      checks.push(...(await checksOf(python, "roundtrip", environment.url(style))));
      checks.push(...(await checksOf(python, "conformance", streams.url(environment.stack(style)))));
    } finally {
      await streams.close();
    }
    const failed = checks.filter(({ ok }) => !ok);
    return {
      program: `grpcio ${version}`,
      unit: "checks",
      checked: checks.length,
      passed: checks.length - failed.length,
      findings: failed.map(({ id, about, said = "" }) => ({ id, text: `${about}, but ${said}` })),
    };
  },
};
