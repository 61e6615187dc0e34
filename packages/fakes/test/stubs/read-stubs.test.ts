// Stub files: their content and their locations.
import { builtInContract } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseStubs, readStubs } from "../../src/stubs/read-stubs.ts";
import { writeStubs } from "../../src/stubs/stub-form.ts";

const contract = builtInContract();
const getCustomer = "roundtrip.v1.CustomerService.GetCustomer";

const complete = `# Customers that tests speak of.
- operation: GetCustomer
  when: { id: 7 }
  response: { id: 7, name: Ada Lovelace }
- operation: CustomerService.GetCustomer
  answers:
    - error:
        code: UNAVAILABLE
        message: not yet
        details:
          reason: STARTING
          domain: example.com
          metadata: { retry: soon }
          violations: [{ field: id, description: too early, reason: early }]
    - made-up: true
---
operation: roundtrip.v1.PayloadService.Download
responses: [{ data: aGVsbG8= }]
error: { code: DATA_LOSS }
`;

const completeStubs = [
  {
    operation: getCustomer,
    when: { id: 7 },
    answers: [{ kind: "response", response: { id: 7, name: "Ada Lovelace" } }],
  },
  {
    operation: getCustomer,
    when: {},
    answers: [
      {
        kind: "error",
        code: "UNAVAILABLE",
        message: "not yet",
        details: {
          reason: "STARTING",
          domain: "example.com",
          metadata: { retry: "soon" },
          violations: [{ field: "id", description: "too early", reason: "early" }],
        },
      },
      { kind: "made-up" },
    ],
  },
  {
    operation: "roundtrip.v1.PayloadService.Download",
    when: {},
    answers: [
      {
        kind: "responses",
        responses: [{ data: "aGVsbG8=" }],
        failure: { code: "DATA_LOSS", message: "data loss", details: {} },
      },
    ],
  },
];

describe("a stub file", () => {
  it("contains stubs, lists of stubs, and several documents", () => {
    expect(parseStubs(complete, "stubs.yaml", contract)).toEqual(completeStubs);
  });

  it("can be JSON, with any indentation", () => {
    const text = JSON.stringify({ operation: "SayHello", response: { message: "hi" } }, undefined, "\t");
    expect(parseStubs(text, "stubs.json", contract)).toEqual([
      {
        operation: "roundtrip.v1.HelloService.SayHello",
        when: {},
        answers: [{ kind: "response", response: { message: "hi" } }],
      },
    ]);
  });

  it("reads as the same stubs that were written", () => {
    const stubs = parseStubs(complete, "stubs.yaml", contract);
    expect(parseStubs(writeStubs(stubs), "written.yaml", contract)).toEqual(stubs);
  });

  it("keeps integers beyond JavaScript's range", () => {
    const text =
      "operation: Look\nwhen: { large_numbers: [9007199254740993] }\nresponse: { request: { largeNumbers: [-9223372036854775808] } }";
    expect(parseStubs(text, "stubs.yaml", conformanceContract())).toMatchObject([
      {
        when: { large_numbers: ["9007199254740993"] },
        answers: [{ response: { request: { largeNumbers: ["-9223372036854775808"] } } }],
      },
    ]);
  });

  it("can be empty", () => {
    expect(parseStubs("", "stubs.yaml", contract)).toEqual([]);
    expect(parseStubs("# nothing yet\n---\n", "stubs.yaml", contract)).toEqual([]);
  });
});

function saying(message: string): string {
  return `operation: SayHello\nresponse: { message: ${message} }\n`;
}

describe("a folder of stub files", () => {
  it("is read in the order of file names, subfolders included, without other files", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundtrip-stubs-"));
    await mkdir(join(folder, "more"));
    await writeFile(join(folder, "b.yaml"), saying("second"));
    await writeFile(join(folder, "a.yml"), saying("first"));
    await writeFile(join(folder, "more", "c.json"), '{"operation": "SayHello", "response": {"message": "third"}}');
    await writeFile(join(folder, "README.md"), "no: [stub");
    const messages = (await readStubs(folder, contract)).map(({ answers }) => answers[0]);
    expect(messages).toEqual(
      ["first", "second", "third"].map((message) => ({ kind: "response", response: { message } })),
    );
  });

  it("names the file of an error", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundtrip-stubs-"));
    const path = join(folder, "a.yaml");
    await writeFile(path, "operation: SayHello\nresponse: { text: hi }\n");
    await expect(readStubs(folder, contract)).rejects.toThrow(`${path}:2:13: response.text: `);
  });

  it("does not follow cyclic links", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundtrip-stubs-"));
    await symlink(folder, join(folder, "again"));
    expect(await readStubs(folder, contract)).toEqual([]);
  });

  it("is reported if it does not exist", async () => {
    await expect(readStubs("no/such/folder", contract)).rejects.toThrow(
      "cannot read no/such/folder: no such file or folder",
    );
  });
});
