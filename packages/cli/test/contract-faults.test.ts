// Contracts from outside: what is wrong with one is reported with file and line before anything starts.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, start, folderWith } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

/** A folder with one file, in a working directory of its own. */
const contractOf = (text: string): string => folderWith({ "shop/shop.proto": text });

const head = 'syntax = "proto3";\npackage shop.v1;\n';
const service = "service Shop {\n  rpc Buy(BuyRequest) returns (BuyResponse);\n}\n";
const messages = "message BuyRequest {\n  string what = 1;\n}\nmessage BuyResponse {\n  int64 price = 1;\n}\n";

async function describeContract(text: string): ReturnType<typeof run> {
  return run(["describe", "--contract", "shop"], { cwd: contractOf(text) });
}

describe.concurrent("a contract that does not compile", () => {
  it("is reported with file, line and column, in one line", async () => {
    const outcome = await describeContract(`${head}${service}${messages.replace("price = 1", "price 1")}`);
    expect(refusal(outcome)).toMatch(/^the contract in shop does not compile: shop\/shop\.proto:10:15: /);
  });

  it("has its errors of syntax first, then missing imports, and unknown names at the end", async () => {
    const text = `${head}import "absent.proto";\n${service.replace("(BuyRequest)", "(Nowhere)")}${messages}`;
    const { stderr } = await describeContract(text.replace("price = 1", "price 1"));
    expect(stderr.split("\n").map((line) => line.replace(/^.*shop\.proto:/, ""))).toEqual([
      expect.stringMatching(/^11:15: /),
      "3:1: imported file does not exist: absent.proto",
      "5:11: cannot find `Nowhere` in this scope",
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

  it("nests messages too deeply", async () => {
    const chain = Array.from({ length: 10_000 }, (_, index) => `message M${index} { M${index + 1} next = 1; }\n`).join(
      "",
    );
    expect(
      refusal(
        await describeContract(`${head}${service.replace("BuyResponse", "M0")}${messages}${chain}message M10000 {}\n`),
      ),
    ).toBe(
      "shop is not a contract that can be served: messages in shop.v1.M0 of shop.v1.Shop.Buy nest 10001 levels deep, but protobuf libraries read at most 100: reduce the nesting",
    );
  });

  it("has no operation", async () => {
    expect(refusal(await describeContract(`${head}${messages}`))).toBe(
      "shop is not a contract that can be served: it declares no operation",
    );
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

  it("is checked by its own cases: every value arrives over every style", async () => {
    const stdout = printed(
      await run(["conform", "--contract", "shop"], {
        cwd: contractOf(annotated),
      }),
    );
    expect(stdout).toMatch(/^ {2}pass {2}OP-0001 MUST {4}shop\.v1\.Shop\.Buy: request and answer arrive complete$/m);
    expect(stdout.match(/1 pass, 0 fail, 0 skip/g)).toHaveLength(3);
  });
});

it("a folder for temporary files that is missing is named in one line, with its variable", async () => {
  const cwd = contractOf(`${head}${service}${messages}`);
  const outcome = await start(["describe", "--contract", "shop"], { cwd, env: { TMPDIR: "/no/such" } }).ended;
  expect(refusal(outcome, 69)).toBe("cannot write to /no/such (TMPDIR): no such file or directory");
});
