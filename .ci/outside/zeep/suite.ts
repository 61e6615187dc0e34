// The zeep suite (SOAP for Python): calls every operation of the WSDL, over SOAP 1.1 and 1.2, and compares answers with those of REST.
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
const style = "soap";
const here = (name: string): string => join(import.meta.dirname, name);
const program = "call_every_operation.py";
const version = /^zeep==(.+)$/m.exec(readFileSync(here("requirements.in"), "utf8"))?.[1] ?? "";

/** Each check is made over two versions of SOAP. */
function checksIn(source: string): number {
  return [...source.matchAll(/^@check\(/gm)].length * 2;
}

/** Runs the Python program. @param urls the server's, and that of the same service over REST */
async function checksOf(python: string, ...urls: readonly string[]): Promise<readonly Check[]> {
  const running = promisify(execFile)(python, [here(program), ...urls], { timeout: longestMs });
  using _ = atExit(() => running.child.kill());
  const { stdout } = await running;
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Check);
}

export const suite: Suite = {
  about:
    "SOAP by zeep for Python, which reads the WSDL, with every answer validated by xmlschema and compared with REST's",
  styles: [style, "rest"],
  tools: ["python"],
  allowed: [],
  size: checksIn(readFileSync(here(program), "utf8")),
  async run(environment) {
    const python = pythonWith(here("requirements.txt"));
    const echoes = await servedBy(here("../serve-echo.ts"), environment.stack(style));
    const checks: Check[] = [];
    try {
      checks.push(...(await checksOf(python, environment.url(style), environment.url("rest"))));
      checks.push(...(await checksOf(python, echoes.url(environment.stack(style)))));
    } finally {
      await echoes.close();
    }
    const failed = checks.filter(({ ok }) => !ok);
    return {
      program: `zeep ${version}`,
      unit: "checks",
      checked: checks.length,
      passed: checks.length - failed.length,
      findings: failed.map(({ id, about, said = "" }) => ({ id, text: `${about}, but ${said}` })),
    };
  },
};
