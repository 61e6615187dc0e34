// An exported directory: what is in it, what its README says, and that it takes no other's place.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { exportFiles } from "../../src/export/export-files.ts";
import { exportReadme } from "../../src/export/export-readme.ts";
import { writeExport } from "../../src/export/write-export.ts";
import { readPlans } from "../../src/plan/plan-file.ts";
import { armsFor, computing, greeting, image, planFor } from "../support/runner-arms.ts";

const folder = mkdtempSync(join(tmpdir(), "k6-export-"));
afterAll(() => rmSync(folder, { recursive: true }));

const plan = await planFor(await armsFor([greeting, { ...computing, serviceSettings: { matrix: { cache: [true] } } }]));
const files = exportFiles({
  plans: [plan],
  contract: image.bytes,
  protoFiles: [{ name: "shop/v1/shop.proto", text: 'syntax = "proto3";\n' }],
});

function textOf(path: string): string {
  return String(files.find((file) => file.path === path)?.content);
}

describe("an export", () => {
  it("holds scripts, plan and contract, and the .proto files for people", async () => {
    const directory = join(folder, "new", "export");
    await writeExport(directory, files);
    expect(readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted()).toEqual([
      "README.md",
      "calls.js",
      "contract.binpb",
      "plan.json",
      "proto",
      "proto/shop",
      "proto/shop/v1",
      "proto/shop/v1/shop.proto",
      "script.js",
      "server-clock.js",
    ]);
    expect(await readPlans(directory)).toEqual([plan]);
  });

  it("explains in its README how to start each server in its own process, and where k6 looks for it", () => {
    const readme = textOf("README.md");
    expect(readme).toContain(
      "roundtrip serve grpc-js --port 50051\n" +
        "roundtrip serve graphql-apollo --port 50052\n" +
        "roundtrip serve rest-express --port 50053\n" +
        "roundtrip serve grpc-js --port 50054 --set matrix.cache=true\n",
    );
    for (const { variable, usual } of plan.servers) expect(readme).toContain(`| \`${variable}\` | \`${usual}\` |`);
  });

  it("names no command for a server that runs elsewhere", () => {
    const [first, ...others] = plan.servers;
    const elsewhere = { ...plan, servers: others.map((server) => ({ ...server, usual: "https://api.example" })) };
    const readme = exportReadme([{ ...elsewhere, servers: [...plan.servers.slice(0, 1), ...elsewhere.servers] }], true);
    expect(readme.match(/roundtrip serve .*/g)).toEqual([`roundtrip serve ${first?.stack} --port 50051`]);
    expect(exportReadme([elsewhere], true)).not.toContain("Start the servers");
  });

  it("says in its README how its rounds are done one after the other, by one instance or by two from one moment on", () => {
    const readme = exportReadme([plan, { ...plan, round: 1 }], true);
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

  it("is written into an empty directory, and refused in any other", async () => {
    const directory = join(folder, "taken");
    mkdirSync(directory);
    await writeExport(directory, files.slice(0, 1));
    await expect(writeExport(directory, files)).rejects.toMatchObject({
      code: "unwritable",
      message: `${directory} is not empty; choose an empty or new directory`,
    });
    expect(readdirSync(directory)).toEqual(["README.md"]);
  });

  it("that cannot be written is reported in one line", async () => {
    const file = join(folder, "a-file");
    writeFileSync(file, "");
    chmodSync(file, 0o600);
    await expect(writeExport(join(file, "below"), files)).rejects.toMatchObject({
      code: "unwritable",
      message: `cannot write to ${join(file, "below")}: a file is in the way`,
    });
  });
});
