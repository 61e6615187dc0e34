// Bringing a contract: one file, imports from elsewhere, HTTP rules of a file of their own, descriptor sets.
import { execFileSync } from "node:child_process";
import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadContractFrom } from "../src/contract/contract-source.ts";
import { findBuf } from "../src/contract/run-buf.ts";
import { folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal } from "./support/outcomes.ts";

const [buf, ...first] = findBuf();

const shop = `syntax = "proto3";
package shop.v1;
import "common/money.proto";
service Shop {
  rpc Buy(BuyRequest) returns (common.Money);
}
message BuyRequest {
  string what = 1;
}
`;
const money =
  'syntax = "proto3";\npackage common;\nmessage Money {\n  int64 cents = 1;\n}\nservice Bank {\n  rpc Pay(Money) returns (Money);\n}\n';
const rules = `type: google.api.Service
config_version: 3
http:
  rules:
    - selector: shop.v1.Shop.Buy
      post: /v1/things/{what}
`;

/** A shop in a folder as its package says, and what it imports in another folder. */
function shopFolder(): string {
  return folderWith({ "api/shop/v1/shop.proto": shop, "third-party/common/money.proto": money });
}

const file = "api/shop/v1/shop.proto";

describe("one .proto file", () => {
  it("is a contract, with imports from another folder, whose services are not its own", async () => {
    const cwd = shopFolder();
    const outcome = await run(["describe", "--contract", `${file},third-party`, "--stack", "grpc-js", "--json"], {
      cwd,
    });
    expect(outcome).toMatchObject({ status: 0, stderr: "" });
    const { operations } = JSON.parse(outcome.stdout) as {
      readonly operations: readonly { readonly operation: string }[];
    };
    expect(operations.map(({ operation }) => operation)).toEqual(["shop.v1.Shop.Buy"]);
  });

  it("that imports a missing file is refused with the import and the flag", async () => {
    const { status, stdout, stderr } = await run(["describe", "--contract", file], { cwd: shopFolder() });
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
    expect(stderr.split("\n")).toEqual([
      `roundtrip: the contract in ${file} does not compile: ${file}:3:1: imported file does not exist: common/money.proto`,
      expect.stringContaining(`  ${file}:5:`),
      "  --contract PATH,FOLDER names the folder that the path of an imported file begins at",
      "",
    ]);
  });

  it("may import its neighbours by the path that its package says", async () => {
    const cwd = shopFolder();
    await cp(join(cwd, "third-party", "common"), join(cwd, "api", "common"), { recursive: true });
    for (const contract of [file, "api/shop", "api/shop/v1"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await run(["describe", "Buy", "--contract", contract], { cwd })).toMatchObject({ status: 0, stderr: "" });
    }
  });
});

it.each<readonly [what: string, contract: string, more: Readonly<Record<string, string>>]>([
  ["beside an empty file", "shop", { "shop/v1/new.proto": "" }],
  ["beside a file of another package", "shop", { "shop/v1/new.proto": 'syntax = "proto3";\npackage other.v9;\n' }],
  ["beside an empty file, named by its folder", "shop/v1", { "shop/v1/new.proto": "" }],
  ["below the folder", ".", {}],
  [
    "below the folder beside another root",
    ".",
    { "more/bank/v1/bank.proto": 'syntax = "proto3";\npackage bank.v1;\n' },
  ],
])("files that import each other by their packages are a contract %s", async (_what, contract, more) => {
  const below = contract === "." ? "proto/" : "";
  const cwd = folderWith({
    [`${below}shop/v1/types.proto`]: 'syntax = "proto3";\npackage shop.v1;\nmessage Item { string what = 1; }\n',
    [`${below}shop/v1/shop.proto`]:
      'syntax = "proto3";\npackage shop.v1;\nimport "shop/v1/types.proto";\nservice Shop { rpc Buy(Item) returns (Item); }\n',
    ...more,
  });
  expect(await run(["describe", "Buy", "--contract", contract], { cwd })).toMatchObject({ status: 0, stderr: "" });
});

it("a byte order mark at the beginning of files is no part of their text", async () => {
  const cwd = shopFolder();
  await writeFile(join(cwd, file), `\uFEFF${shop}`);
  await writeFile(join(cwd, "rules.yaml"), `\uFEFF${rules}`);
  const { stdout } = await run(["describe", "Buy", "--contract", `${file},third-party,rules.yaml`], { cwd });
  expect(stdout).toContain("POST /v1/things/{what}\n");
});

describe("HTTP rules in a service configuration", () => {
  const args = ["describe", "Buy", "--contract", `${file},third-party`, "--stack", "rest-express"];

  it("are found beside the contract", async () => {
    const cwd = shopFolder();
    expect((await run(args, { cwd })).stdout).toContain("POST /shop.v1.Shop/Buy {what}\n");
    await writeFile(join(cwd, "api", "shop", "v1", "shop_v1.yaml"), rules);
    expect((await run(args, { cwd })).stdout).toContain("POST /v1/things/{what}\n");
    const inFolder = args.map((word) => word.replace(file, "api"));
    expect((await run(inFolder, { cwd })).stdout).toContain("POST /v1/things/{what}\n");
  });

  it("that cannot be served are listed, and the operation keeps its default path", async () => {
    const cwd = shopFolder();
    await writeFile(join(cwd, "rules.yaml"), rules.replace("{what}", "{that}"));
    const { stdout } = await run([...args, "--contract", "rules.yaml"], { cwd });
    expect(stdout).toContain("POST /shop.v1.Shop/Buy {what}\n");
    expect(stdout).toContain("/{that}: this rule is ignored: BuyRequest has no field that\n");
  });

  it.each([
    [
      rules.replace("Shop.Buy", "Shop.By"),
      /^rules\.yaml:5:7: a rule selects "shop\.v1\.Shop\.By", .*did you mean "shop\.v1\.Shop\.Buy"\?$/,
    ],
    [rules.replace("post:", "pots:"), /^rules\.yaml:5:7: http\.rules\[0\]: .*pots/],
    ["http: [", /^rules\.yaml:1:\d+: [^\n]+$/],
    ["just text", /^rules\.yaml: a google\.api\.Service must be an object/],
  ])("that are wrong are refused with their file: %#", async (text, message) => {
    const cwd = shopFolder();
    await writeFile(join(cwd, "rules.yaml"), text);
    expect(refusal(await run([...args, "--contract", "rules.yaml"], { cwd }))).toMatch(message);
  });

  it.each([
    ["shop.binpb,.", "shop.binpb is a descriptor set, which needs no imports: leave . out"],
    [`${file},third-party,no.yaml`, "cannot read the HTTP rules no.yaml: no such file"],
  ])("and paths that do not go together are refused: %s", async (paths, why) => {
    const cwd = shopFolder();
    await writeFile(join(cwd, "shop.binpb"), "");
    expect(refusal(await run(["describe", "--contract", paths], { cwd }))).toContain(why);
  });
});

it.each(["shop.binpb", "shop.json"])("a descriptor set is a contract as it is compiled: %s", async (name) => {
  const cwd = shopFolder();
  await cp(join(cwd, "third-party", "common"), join(cwd, "api", "common"), { recursive: true });
  execFileSync(buf, [...first, "build", "api", "--output", name], { cwd });
  await using loaded = await loadContractFrom([join(cwd, name)]);
  // The whole folder was compiled, so nothing in it is imported alone.
  expect(loaded.contract.operations.map(({ id }) => id).toSorted()).toEqual(["common.Bank.Pay", "shop.v1.Shop.Buy"]);
});

it("a buf workspace is compiled as it says, and an installed package inside a project is not part of its workspace", async () => {
  const cwd = shopFolder();
  await writeFile(join(cwd, "buf.yaml"), "version: v2\nmodules:\n  - path: api\n  - path: third-party\n");
  await cp(join(cwd, "api"), join(cwd, "node_modules", "shop"), { recursive: true });
  expect(await run(["describe", "Buy", "--contract", "api"], { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(await run(["describe", "Buy", "--contract", "node_modules/shop"], { cwd })).toMatchObject({ status: 64 });
  const paths = "node_modules/shop,third-party";
  expect(await run(["describe", "Buy", "--contract", paths], { cwd })).toMatchObject({ status: 0 });
});

it("a buf workspace whose dependencies are not there is compiled with what is here", async () => {
  const cwd = shopFolder();
  await writeFile(
    join(cwd, "buf.yaml"),
    "version: v2\nmodules:\n  - path: api\ndeps:\n  - buf.example.invalid/googleapis/googleapis\n",
  );
  const text = shop.replace("common/money.proto", "google/api/annotations.proto").replace("common.Money", "BuyRequest");
  await writeFile(join(cwd, file), text.replace(");", ') { option (google.api.http) = { get: "/v1/buy" }; }'));
  expect((await run(["describe", "Buy", "--contract", "api"], { cwd })).stdout).toContain("GET /v1/buy?what=\n");
  // A missing import has its name, and a flag that this program has.
  await writeFile(join(cwd, file), shop);
  const { stderr } = await run(["describe", "Buy", "--contract", "api"], { cwd });
  expect(stderr).toContain(`${file}:3:1: imported file does not exist: common/money.proto\n`);
  expect(stderr).toContain("--contract PATH,FOLDER names the folder that the path of an imported file begins at\n");
  expect(stderr).toContain(
    "buf.yaml imports from buf.example.invalid/googleapis/googleapis, which buf's cache does not have",
  );
  const flags = ["--contract", "api,third-party"];
  expect(await run(["describe", "Buy", ...flags], { cwd })).toMatchObject({ status: 0, stderr: "" });
});
