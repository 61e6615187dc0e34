// An exported directory: what is in it, what its README says, and that it takes no other's place.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exportFiles, writeExport } from "../../src/export/export-files.ts";
import { exportReadme, type ServedBy } from "../../src/export/export-readme.ts";
import type { K6Plan } from "../../src/plan/k6-plan.ts";
import { readPlans } from "../../src/plan/plan-file.ts";
import { armsFor, computing, greeting, image, planFor } from "../support/runner-arms.ts";

const folder = mkdtempSync(join(tmpdir(), "k6-export-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plan = await planFor(await armsFor([greeting, { ...computing, serviceSettings: { matrix: { cache: [200] } } }]));
const files = exportFiles({
  plans: [plan],
  contract: image.bytes,
});

function textOf(path: string): string {
  return String(files.find((file) => file.path === path)?.content);
}

const readmeOf = (plans: readonly K6Plan[], servedBy: ServedBy = { command: "serve", isForeign: false }): string =>
  exportReadme(plans, servedBy);

describe("an export", () => {
  it("has the script, the plan and the types of its calls", async () => {
    const directory = join(folder, "new", "export");
    await writeExport(directory, files);
    expect(readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "README.md",
      "calls.binpb",
      "calls.js",
      "plan.json",
      "script.js",
    ]);
    expect(await readPlans(directory)).toEqual([plan]);
  });

  it("explains in its README how to start each server in its own process, and where k6 looks for it", () => {
    const readme = textOf("README.md");
    expect(readme).toContain(
      "roundtrip serve grpc-js --port 50051\n" +
        "roundtrip serve graphql-apollo --port 50052\n" +
        "roundtrip serve rest-express --port 50053\n" +
        "roundtrip serve grpc-js --port 50054 --set matrix.cache=200\n",
    );
    for (const { variable, usual } of plan.servers) expect(readme).toContain(`| \`${variable}\` | \`${usual}\` |`);
  });

  it("names no command for a server that runs elsewhere", () => {
    const [first, ...others] = plan.servers;
    const elsewhere = { ...plan, servers: others.map((server) => ({ ...server, usual: "https://api.example" })) };
    const readme = readmeOf([{ ...elsewhere, servers: [...plan.servers.slice(0, 1), ...elsewhere.servers] }]);
    expect(readme.match(/roundtrip serve .*/g)).toEqual([`roundtrip serve ${first?.stack} --port 50051`]);
    expect(readmeOf([elsewhere])).not.toContain("Start the servers");
  });

  it("names the fake of a user's contract, which lies in the directory", () => {
    const readme = readmeOf([plan], { command: "fake", isForeign: true });
    expect(readme).toContain("roundtrip fake grpc-js --contract contract.binpb --port 50051\n");
    expect(readme).toContain("an export with `--target` has those of your servers");
  });

  it("names the variable of a bearer token that k6 needs, and no token", () => {
    const servers = plan.servers.map((server) => ({ ...server, token: "SHOP_TOKEN" }));
    expect(readmeOf([{ ...plan, servers }])).toContain("The environment of k6 must have `SHOP_TOKEN`, with");
    expect(readmeOf([plan])).not.toContain("bearer token");
  });

  it("says in its README how its rounds are done one after the other, by one instance or by two from one moment on", () => {
    const readme = readmeOf([plan, { ...plan, round: 1 }]);
    expect(readme).toContain("2 rounds of small, with the seed 1: each ");
    expect(readme).toContain("k6 run -e ROUND=$ROUND --out json=results-$ROUND.json script.js");
    expect(readme).toContain("`ROUND=2` to `ROUND=2`");
    for (const part of ["0:1/2", "1/2:1"]) {
      expect(readme).toContain(
        `k6 run -e ROUND=$ROUND -e T0=$T0 --execution-segment ${part} --execution-segment-sequence 0,1/2,1 `,
      );
    }
    expect(readme).toContain("--import results-*.json");
  });
});
