// Contracts from outside: what is wrong with one is told with file and line before anything starts.
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { emptyFolder, run } from "./support/run-program.ts";

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
  it("is told with file, line and column, in one line", async () => {
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
    expect(stderr).toMatch(/^roundtrip: picture\.png is no contract that can be served: .*\n$/);
  });

  it("has no operation", async () => {
    const { status, stderr } = await describeContract(`${head}${messages}`);
    expect({ status, stderr }).toEqual({
      status: 64,
      stderr: "roundtrip: shop is no contract that can be served: it declares no operation\n",
    });
  });

  it("has rules that make no sense", async () => {
    const rule = '[(buf.validate.field).string.pattern = "("]';
    const { status, stderr } = await describeContract(
      `${head}import "buf/validate/validate.proto";\n${service}${messages.replace("what = 1", `what = 1 ${rule}`)}`,
    );
    expect(status).toBe(64);
    expect(stderr).toMatch(
      /^roundtrip: shop is no contract that can be served: the rules of shop\.v1\.Shop\.Buy cannot be compiled: [^\n]+\n$/,
    );
  });
});

describe.concurrent("somebody else's contract", () => {
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

  it("is not checked by cases that call what it does not have", async () => {
    const { status, stderr } = await run(["conform", "--contract", "shop"], { cwd: await contractOf(annotated) });
    expect(status).toBe(64);
    expect(stderr).toMatch(/^roundtrip: the contract in shop has neither .*, which the cases call\n$/);
  });
});
