// Contracts from outside: what is wrong with one is reported with file and line before anything starts.
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { create } from "@bufbuild/protobuf";
import { ServerCall, type CallError } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { describe, expect, it } from "vitest";
import { loadContractFrom } from "../src/contract/contract-source.ts";
import { emptyFolder, start } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";

/** A folder with one file, in a working directory of its own. */
async function contractOf(text: string): Promise<string> {
  const cwd = emptyFolder();
  await mkdir(join(cwd, "shop"));
  await writeFile(join(cwd, "shop", "shop.proto"), text);
  return cwd;
}

const head = 'syntax = "proto3";\npackage shop.v1;\n';
const service = "service Shop {\n  rpc Buy(BuyRequest) returns (BuyResponse);\n}\n";
const messages = "message BuyRequest {\n  string what = 1;\n}\nmessage BuyResponse {\n  int64 price = 1;\n}\n";

async function describeContract(text: string): ReturnType<typeof run> {
  return run(["describe", "--contract", "shop"], { cwd: await contractOf(text) });
}

describe.concurrent("a contract that does not compile", () => {
  it("is reported with file, line and column, in one line", async () => {
    const outcome = await describeContract(`${head}${service}${messages.replace("price = 1", "price 1")}`);
    expect(outcome).toMatchObject({ status: 64, stdout: "" });
    expect(outcome.stderr).toMatch(/^roundtrip: the contract in shop does not compile: shop\/shop\.proto:10:15: .*\n$/);
  });

  it("gives each of several faults a line", async () => {
    const { status, stderr } = await describeContract(
      `${head}import "no/such.proto";\n${service.replace("BuyResponse", "Nothing")}${messages}`,
    );
    expect(status).toBe(64);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(/^roundtrip: .*: shop\/shop\.proto:3:1: .*does not exist/),
      expect.stringMatching(/^ {2}shop\/shop\.proto:5:32: .*Nothing/),
      "  --contract PATH,FOLDER names the folder that the path of an imported file begins at",
      "",
    ]);
  });
});

describe.concurrent("a contract that cannot be served", () => {
  it("is a folder without .proto files", async () => {
    const cwd = emptyFolder();
    await mkdir(join(cwd, "shop"));
    const outcome = await run(["describe", "--contract", "shop"], { cwd });
    expect(outcome).toEqual({ status: 64, stdout: "", stderr: "roundtrip: there are no .proto files in shop\n" });
  });

  it("is a file that is something else", async () => {
    const cwd = emptyFolder();
    await writeFile(join(cwd, "picture.png"), Buffer.from("89504e470d0a1a0a", "hex"));
    const { status, stderr } = await run(["describe", "--contract", "picture.png"], { cwd });
    expect(status).toBe(64);
    expect(stderr).toMatch(/^roundtrip: picture\.png is not a contract that can be served: .*\n$/);
  });

  it("nests messages too deeply", async () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => `message M${index} { M${index + 1} next = 1; }\n`).join(
      "",
    );
    const { status, stderr } = await describeContract(
      `${head}${service.replace("BuyResponse", "M0")}${messages}${chain}message M10000 {}\n`,
    );
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr:
        "roundtrip: shop is not a contract that can be served: messages in shop.v1.M0 of shop.v1.Shop.Buy nest 10001 levels deep, but protobuf libraries read at most 100: reduce the nesting\n",
    });
  });

  it("has no operation", async () => {
    const { status, stderr } = await describeContract(`${head}${messages}`);
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr: "roundtrip: shop is not a contract that can be served: it declares no operation\n",
    });
  });

  it("has rules that make no sense", async () => {
    const rule = '[(buf.validate.field).string.pattern = "("]';
    const { status, stderr } = await describeContract(
      `${head}import "buf/validate/validate.proto";\n${service}${messages.replace("what = 1", `what = 1 ${rule}`)}`,
    );
    expect(status).toBe(64);
    expect(stderr).toMatch(
      /^roundtrip: shop is not a contract that can be served: shop\/shop\.proto:8:\d+: the rules of shop\.v1\.BuyRequest\.what cannot be compiled: [^\n]+\n$/,
    );
  });
});

describe.concurrent("a user's contract", () => {
  const annotated = `${head}import "google/api/annotations.proto";\nimport "buf/validate/validate.proto";\n${service.replace(
    ";",
    ' {\n    option (google.api.http) = { post: "/v1/buy" body: "*" };\n  }',
  )}${messages.replace("what = 1", "what = 1 [(buf.validate.field).string.max_len = 10]")}`;

  it("may import google.api and buf.validate without a copy of them", async () => {
    const { status, stdout, stderr } = await describeContract(annotated);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("shop.v1.Shop.Buy");
    expect(stdout).toContain("POST /v1/buy");
  });

  it("may use every rule of buf.validate, CEL among them, and a service holds callers to it", async () => {
    const rules = `${head}import "buf/validate/validate.proto";
${service}message BuyRequest {
  option (buf.validate.message).cel = {id: "sum", message: "at most 10 in all", expression: "this.apples + this.pears <= 10"};
  string to = 1 [(buf.validate.field).string.email = true];
  int32 apples = 2;
  int32 pears = 3;
}
message BuyResponse {}
`;
    await using loaded = await loadContractFrom([join(await contractOf(rules), "shop")]);
    const buy = loaded.contract.operation("shop.v1.Shop.Buy");
    const served = serviceOf(loaded.contract, new Map([[buy.id, () => create(buy.output)]]));
    const broken = async (order: Record<string, unknown>): Promise<string> => {
      try {
        await served.call(buy, create(buy.input, order), new ServerCall());
        return "";
      } catch (thrown) {
        return (thrown as CallError).message;
      }
    };
    expect(await broken({ to: "nobody", apples: 1 })).toContain("email");
    expect(await broken({ to: "me@example.com", apples: 6, pears: 5 })).toContain("at most 10 in all");
    expect(await broken({ to: "me@example.com", apples: 6, pears: 4 })).toBe("");
  });

  it("is refused with where to put rules that are newer than those known here", async () => {
    const rule = "[(buf.validate.field).string.from_the_future = true]";
    const { status, stderr } = await describeContract(
      `${head}import "buf/validate/validate.proto";\n${service}${messages.replace("what = 1", `what = 1 ${rule}`)}`,
    );
    expect(status).toBe(64);
    expect(stderr.split("\n")).toEqual([
      expect.stringMatching(
        /^roundtrip: the contract in shop does not compile: shop\/shop\.proto:8:\d+: .*from_the_future/,
      ),
      "  the rules known here are those of protovalidate 1.2; a buf/validate/validate.proto in the folder itself is used instead",
      "",
    ]);
  });

  it("may bring its own buf/validate/validate.proto", async () => {
    const cwd = await contractOf(annotated);
    const own = join(cwd, "shop", "buf", "validate");
    await mkdir(own, { recursive: true });
    const known = new URL("../../contract/complete-rules/buf/validate/validate.proto", import.meta.url);
    const text = await readFile(known, "utf8");
    await writeFile(
      join(own, "validate.proto"),
      text.replace("optional uint64 max_len = 3", "optional uint64 longest = 3"),
    );
    const { status, stderr } = await run(["describe", "--contract", "shop"], { cwd });
    expect(status).toBe(64);
    expect(stderr).toContain("max_len");
  });

  it("may come with a buf.yaml, which then says where imports are", async () => {
    const cwd = emptyFolder();
    const project = fileURLToPath(new URL("../../../", import.meta.url));
    for (const part of ["buf.yaml", "proto", "packages/contract/well-known"]) {
      // oxlint-disable-next-line no-await-in-loop
      await cp(join(project, part), join(cwd, part), { recursive: true });
    }
    const { status, stdout } = await run(["describe", "GetCustomer", "--contract", "proto"], { cwd });
    expect(status).toBe(0);
    expect(stdout).toContain("GET /v1/customers/{id}");
  });

  it("is not measured by a study that calls what it does not have", async () => {
    const cwd = await contractOf(annotated);
    const outcome = await run(["bench", "hello", "--contract", "shop", "--out", "run"], { cwd });
    expect(outcome).toEqual({
      status: 64,
      stdout: "",
      stderr:
        "roundtrip: the study hello calls roundtrip.v1.HelloService.SayHello, which the contract in shop does not have\n",
    });
  });

  it("is checked by its own cases: every value arrives over every style", async () => {
    const { status, stdout, stderr } = await run(["conform", "--contract", "shop"], {
      cwd: await contractOf(annotated),
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^ {2}pass {2}OP-0001 MUST {4}shop\.v1\.Shop\.Buy: request and answer arrive complete$/m);
    expect(stdout.match(/1 pass, 0 fail, 0 skip/g)).toHaveLength(3);
  });
});

it("a folder for temporary files that is missing is named in one line, with its variable", async () => {
  const cwd = await contractOf(`${head}${service}${messages}`);
  const outcome = await start(["describe", "--contract", "shop"], { cwd, env: { TMPDIR: "/no/such" } }).ended;
  expect(outcome).toEqual({
    status: 69,
    stdout: "",
    stderr: "roundtrip: cannot write to /no/such (TMPDIR): no such file or directory\n",
  });
});
