// A faulty rule of somebody's contract is reported with its place: in a .proto file, or in a service configuration.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

const refused = "roundtrip: shop is not a contract that can be served: ";

/** What `describe` says of the contract in `shop`. */
async function said(files: Readonly<Record<string, string>>): Promise<string> {
  const cwd = emptyFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const { status, stdout, stderr } = await run(["describe", "--contract", "shop"], { cwd });
  expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  return stderr;
}

/** A contract with one method, whose options and whose request are given. */
const shop = (options: string, request: string): string => `syntax = "proto3";
package shop.v1;
import "buf/validate/validate.proto";
import "google/api/annotations.proto";
service Shop {
  rpc Buy(BuyRequest) returns (BuyResponse) {
${options}
  }
}
message BuyRequest {
${request}
}
message BuyResponse {}
`;

const plain = "  string what = 1;";

const rules = (rule: string): string => `type: google.api.Service\nhttp:\n  rules:\n${rule}`;

describe.concurrent("a rule of HTTP that makes no sense", () => {
  const first = '  - selector: shop.v1.Shop.Buy\n    get: "/v1"\n';
  it.each([
    [
      "  - selector: shop.v1.Shop.Byu\n    get: /v1\n",
      'roundtrip: shop/shop.yaml:6:5: a rule selects "shop.v1.Shop.Byu", which is not a method of the contract; did you mean "shop.v1.Shop.Buy"?\n',
    ],
    ["  - selector: shop.v1.Shop.Buy\n    gett: /v1\n", "roundtrip: shop/shop.yaml:6:5: http.rules[1]: "],
  ])("is reported with its place in a service configuration: %j", async (rule, message) => {
    const files = { "shop/shop.proto": shop("", plain), "shop/shop.yaml": rules(`${first}${rule}`) };
    expect(await said(files)).toContain(message);
  });
});

describe.concurrent("a rule of validation that makes no sense", () => {
  const pattern = '[(buf.validate.field).string.pattern = "("]';
  const cel = '(buf.validate.field).cel = { id: "sum", message: "", expression: "this +" }';
  const what = "the rules of shop.v1.";
  it.each([
    [`  string what = 1 ${pattern};`, `11:20: ${what}BuyRequest.what cannot be compiled: `],
    [
      `  optional string what = 1 [\n    deprecated = true, ${cel}];`,
      `12:24: ${what}BuyRequest.what cannot be compiled: `,
    ],
    [
      `  repeated string what = 1 [(buf.validate.field).repeated.items.string.pattern = "("];`,
      `11:29: ${what}BuyRequest.what `,
    ],
    [
      `  map<string, string> what = 1 [(buf.validate.field).map.keys.string.pattern = "("];`,
      `11:33: ${what}BuyRequest.what `,
    ],
    [
      '  option (buf.validate.message).oneof = { fields: ["zz"] };\n  string what = 1;',
      `11:3: ${what}BuyRequest cannot be compiled: `,
    ],
    [
      `  Part part = 1;\n}\nmessage Part {\n  BuyRequest back = 1;\n  string name = 2 ${pattern};`,
      `15:20: ${what}Part.name cannot be compiled: `,
    ],
    [
      `  oneof which {\n    string one = 1;\n    string other = 2 ${pattern};\n  }`,
      `13:23: ${what}BuyRequest.other cannot be compiled: `,
    ],
  ])("is reported with its place: %s", async (request, place) => {
    expect(await said({ "shop/shop.proto": shop("", request) })).toContain(`${refused}shop/shop.proto:${place}`);
  });
});
