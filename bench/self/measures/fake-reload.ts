// The time from a file change until `roundtrip fake` serves it, and the effect on callers meanwhile: docs/decisions/0175-reload-without-restart.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { atExit } from "@roundtrip/runner/lifetime";
import { meanIntervals } from "../mean-intervals.ts";
import type { Figure, Measure, MeasureOptions } from "../measure.ts";

const target = 500;
const pauseMs = 5;
const main = join(import.meta.dirname, "..", "..", "..", "packages", "cli", "bin", "roundtrip.js");

const contractWith = (version: number): string => `syntax = "proto3";
package shop.v1;
message Order { string item = 1; }
service Shop {
  rpc Buy(Order) returns (Order);
  rpc Version${version}(Order) returns (Order);
}
`;

const stubsWith = (version: number): string => `operation: Buy\nresponse: { item: "${version}" }\n`;

interface Served {
  /** Calls an operation over REST; resolves to the answer, or to undefined if there is no such operation. */
  readonly ask: (method: string) => Promise<string | undefined>;
}

/** Waits until an answer is as expected; resolves to the milliseconds since the call. */
async function timeUntil(isThere: () => Promise<boolean>): Promise<number> {
  const startedAtMs = performance.now();
  while (!(await isThere())) await sleep(pauseMs);
  return performance.now() - startedAtMs;
}

/** Starts a fake of the files in the folder, does the work, and ends the fake. */
async function withFake<T>(folder: string, work: (served: Served) => Promise<T>): Promise<T> {
  const args = [
    main,
    "fake",
    "rest-express",
    "--contract",
    join(folder, "shop.proto"),
    "--stubs",
    join(folder, "stubs.yaml"),
  ];
  const program = spawn(process.execPath, [...args, "--json"], { stdio: ["ignore", "pipe", "inherit"] });
  using _ = atExit(() => program.kill("SIGKILL"));
  const ended = new Promise((resolve) => program.once("close", resolve));
  try {
    const [first] = (await once(createInterface(program.stdout), "line")) as [string];
    const url = (JSON.parse(first) as Readonly<Record<string, string>>)["rest-express"] ?? "";
    return await work({
      async ask(method) {
        const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
        const answer = await fetch(`${url}/shop.v1.Shop/${method}`, init);
        const body = (await answer.json()) as { readonly item?: string };
        return answer.ok ? (body.item ?? "") : undefined;
      },
    });
  } finally {
    program.kill("SIGTERM");
    await ended;
  }
}

async function run({ rounds, seed, onProgress }: MeasureOptions): Promise<readonly Figure[]> {
  const stubsMs: number[] = [];
  const contractMs: number[] = [];
  let refused = 0;
  const folder = mkdtempSync(join(tmpdir(), "roundtrip-reload-"));
  const write = { stubs: join(folder, "stubs.yaml"), contract: join(folder, "shop.proto") };
  try {
    writeFileSync(write.stubs, stubsWith(0));
    writeFileSync(write.contract, contractWith(0));
    await withFake(folder, async ({ ask }) => {
      const over = new AbortController();
      const caller = (async () => {
        while (!over.signal.aborted) {
          const answer = await ask("Buy").catch(() => undefined);
          if (answer === undefined) refused += 1;
          await sleep(pauseMs);
        }
      })();
      for (let version = 1; version <= rounds; version += 1) {
        onProgress(`round ${version} of ${rounds}`);
        writeFileSync(write.stubs, stubsWith(version));
        stubsMs.push(await timeUntil(async () => (await ask("Buy")) === String(version)));
        writeFileSync(write.contract, contractWith(version));
        contractMs.push(await timeUntil(async () => (await ask(`Version${version}`)) !== undefined));
      }
      over.abort();
      await caller;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const computed = meanIntervals([stubsMs, contractMs], seed);
  const figures = ["stubs", "contract"].map((of, index) => ({
    of: `${of}, written until served`,
    value: computed[index]?.mean ?? Number.NaN,
    interval: computed[index]?.interval ?? null,
    unit: "ms",
    atMost: target,
  }));
  return [
    ...figures,
    { of: "calls meanwhile that were not answered", value: refused, interval: null, unit: "", atMost: 0 },
  ];
}

export const measure: Measure = {
  name: "fake-reload",
  title: "a file that changes, until the fake of a standing process answers by it",
  rounds: 8,
  run,
};
