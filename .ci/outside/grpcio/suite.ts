// grpcio, gRPC's own library for Python: it asks the server's reflection what there is and calls every method; then every kind of
// stream of the conformance contract, served by a program beside this one.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { atExit } from "../../../packages/runner/src/lifetime.ts";
import { pythonWith } from "../python-environment.ts";
import { servedBy } from "../served-stacks.ts";
import type { Suite } from "../suite.ts";
import { allowed } from "./allowed.ts";

interface Check {
  readonly id: string;
  readonly about: string;
  readonly ok: boolean;
  readonly said?: string;
}

/** All checks take seconds; a program that takes this long hangs. */
const longestMs = 120_000;
const style = "grpc";
const here = (name: string): string => join(import.meta.dirname, name);
const program = "call_every_method.py";
const version = /^grpcio==(.+)$/m.exec(readFileSync(here("requirements.in"), "utf8"))?.[1] ?? "";

/** How many checks the Python program makes of two servers: those of a service once, those of every server twice. */
function checksIn(source: string): number {
  const services = [...source.matchAll(/^@check\(("")?/gm)];
  return services.reduce((sum, [, every]) => sum + (every === undefined ? 1 : 2), 0);
}

/** What the Python program says of the server at a URL, with ids that name the contract. */
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
  allowed,
  size: checksIn(readFileSync(here(program), "utf8")),
  async run(stand) {
    const python = pythonWith(here("requirements.txt"));
    const streams = await servedBy(here("serve.ts"), stand.stack(style));
    const checks: Check[] = [];
    try {
      checks.push(...(await checksOf(python, "roundtrip", stand.url(style))));
      checks.push(...(await checksOf(python, "conformance", streams.url(stand.stack(style)))));
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
