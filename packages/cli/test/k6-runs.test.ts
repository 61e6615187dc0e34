// The real k6: a contract that Roundtrip has never seen, and its tasks, go to k6 and come home as a report; and targets that ask for a token.
import { findK6 } from "@roundtrip/k6";
import { readRun } from "@roundtrip/runs/read";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { servedWith } from "./support/served.ts";
import { run } from "./support/shared-program.ts";
import { shopWindowFolder } from "./support/shop-window.ts";
import { started } from "./support/started-fake.ts";

const withK6 = await needing("k6");
const k6 = withK6.skip === true ? undefined : await findK6();
const cwd = shopWindowFolder();
const short = ["--rounds", "1", "--calls", "4"];

/** Resolves to the path of the results. Rejects if k6 fails. @param addresses of the servers, by variable */
async function runExport(folder: string, addresses: Readonly<Record<string, string>>): Promise<string> {
  const results = "results-1.json";
  const usual = ["--quiet", "--no-usage-report", "--address", "127.0.0.1:0", "--out", `json=${results}`];
  const { PATH = "" } = process.env;
  await promisify(execFile)(k6?.path ?? "k6", ["run", "-e", `T0=${Date.now() + 3_000}`, ...usual, "script.js"], {
    cwd: folder,
    env: { PATH, HOME: folder, K6_VERSION: k6?.version, WARM_UP_MS: "100", ...addresses },
    timeout: 40_000,
  });
  return join(folder, results);
}

describe("k6", withK6, () => {
  it("runs an export on its fake, and comes home as a report", async () => {
    const exported = ["export", "k6", "--contract", "shop.proto", "--seed", "7"];
    const args = [...exported, ...short, "--tasks", "tasks.yaml", "--stack", "grpc,rest", "--out", "there"];
    expect(await run(args, { cwd })).toMatchObject({ status: 0 });
    const folder = join(cwd, "there");
    await using fake = await started(["grpc-js", "rest-express", "--contract", "contract.binpb"], folder);
    const file = await runExport(folder, {
      GRPC_TARGET: fake.urls["grpc-js"] ?? "",
      REST_URL: fake.urls["rest-express"] ?? "",
    });
    const { status, stdout, stderr } = await run(["bench", "--import", file, "there", "--out", "home"], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).not.toBe("");
    const { facts, samples } = await readRun(join(cwd, "home"));
    expect(new Set(samples.outcomes)).toEqual(new Set(["OK"]));
    expect(new Set(facts.arms.map(({ study, stack }) => `${study} ${stack}`))).toEqual(
      new Set(["shop-window grpc-js", "shop-window rest-express"]),
    );
  });

  it("as the engine of bench measures the contract on its fake", async () => {
    const own = ["bench", "--contract", "shop.proto", "--tasks", "tasks.yaml", "--stack", "rest", "--engine", "k6"];
    const { status, stderr } = await run([...own, ...short, "--budget", "40s", "--out", "by-k6", "--quiet"], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { facts, samples } = await readRun(join(cwd, "by-k6"));
    expect(new Set(facts.arms.map(({ variant, callsPerTask }) => `${variant} ${callsPerTask}`))).toEqual(
      new Set(["facade 1", "list-then-each 4"]),
    );
    expect(new Set(samples.outcomes)).toEqual(new Set(["OK"]));
    expect(facts.environment.generators).toEqual([{ name: "k6", version: k6?.version, segment: "0:1" }]);
  });

  it("calls targets with the token, and no file has it", async () => {
    const env = { SHOP_TOKEN: "s3cret-abc.def" };
    await using server = await servedWith(env, "rest-express", "--token-env", "SHOP_TOKEN");
    const target = ["--target", `rest-express=${server.urls["rest-express"]},token-env=SHOP_TOKEN`];
    const args = ["bench", "--operations", "SayHello", "--engine", "k6", ...target, ...short];
    const { status, stderr } = await run([...args, "--budget", "40s", "--out", "token", "--quiet", "--json"], {
      cwd,
      env,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { facts, samples } = await readRun(join(cwd, "token"));
    expect(new Set(samples.outcomes)).toEqual(new Set(["OK"]));
    expect(new Set(facts.arms.map(({ stack }) => stack))).toEqual(new Set(["rest-express"]));
    expect(readFileSync(join(cwd, "token", "run.json"), "utf8")).not.toContain(env.SHOP_TOKEN);
  });
});
