// Stub files: what they contain, where they are, and their errors: one line with the position, what is wrong and the likely intention.
import { builtInContract } from "@roundtrip/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import { Ajv2020 } from "ajv/dist/2020.js";
import { conformanceContract } from "@roundtrip/conformance";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeError } from "../../src/basics/fake-error.ts";
import { jsonSchemas } from "../../src/files/json-schemas.ts";
import { parseStubs, readStubs, writeStubs } from "../../src/stubs/read-stubs.ts";

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
  { operation: getCustomer, when: { id: 7 }, response: { id: 7, name: "Ada Lovelace" } },
  {
    operation: getCustomer,
    answers: [
      {
        error: {
          code: "UNAVAILABLE",
          message: "not yet",
          details: {
            reason: "STARTING",
            domain: "example.com",
            metadata: { retry: "soon" },
            violations: [{ field: "id", description: "too early", reason: "early" }],
          },
        },
      },
      { "made-up": true },
    ],
  },
  {
    operation: "roundtrip.v1.PayloadService.Download",
    responses: [{ data: "aGVsbG8=" }],
    error: { code: "DATA_LOSS" },
  },
];

describe("a stub file", () => {
  it("contains stubs, lists of stubs, and several documents", () => {
    expect(parseStubs(complete, "stubs.yaml", contract)).toEqual(completeStubs);
  });

  it("can be JSON, with any indentation", () => {
    const text = JSON.stringify({ operation: "SayHello", response: { message: "hi" } }, undefined, "\t");
    expect(parseStubs(text, "stubs.json", contract)).toEqual([
      { operation: "roundtrip.v1.HelloService.SayHello", response: { message: "hi" } },
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
        response: { request: { largeNumbers: ["-9223372036854775808"] } },
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

/** A new folder that is removed after the test. */
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "roundtrip-stubs-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

describe("a folder of stub files", () => {
  it("is read in the order of file names, subfolders included, without other files", async () => {
    const folder = await newFolder();
    await mkdir(join(folder, "more"));
    await writeFile(join(folder, "b.yaml"), saying("second"));
    await writeFile(join(folder, "a.yml"), saying("first"));
    await writeFile(join(folder, "more", "c.json"), '{"operation": "SayHello", "response": {"message": "third"}}');
    await writeFile(join(folder, "README.md"), "no: [stub");
    const messages = (await readStubs(folder, contract)).map(({ response }) => response);
    expect(messages).toEqual(["first", "second", "third"].map((message) => ({ message })));
  });

  it("names the file of an error", async () => {
    const folder = await newFolder();
    const path = join(folder, "a.yaml");
    await writeFile(path, "operation: SayHello\nresponse: { text: hi }\n");
    await expect(readStubs(folder, contract)).rejects.toThrow(`${path}:2:13: response.text: `);
  });

  it("is reported if it does not exist", async () => {
    await expect(readStubs("no/such/folder", contract)).rejects.toThrow(
      "cannot read no/such/folder: no such file or folder",
    );
  });
});

/** The error of a text, from the line number on; it is one line. */
function faultOf(text: string, of = contract): string {
  try {
    parseStubs(text, "stubs.yaml", of);
    return "";
  } catch (thrown) {
    if (!(thrown instanceof FakeError)) throw thrown;
    return /^stubs\.yaml:(\d+:\d+: .+)$/.exec(thrown.message)?.[1] ?? `not one line: ${thrown.message}`;
  }
}

describe("an error is one line with file, line, column and path", () => {
  const head = "- operation: GetCustomer\n  ";
  it.each([
    [
      "- operation: GetCustomr\n  response: {}",
      '1:3: operation: the contract has no operation "GetCustomr"; did you mean "GetCustomer"?',
    ],
    [
      "operation: roundtrip.v1.CustomerService.GetCustomr\nresponse: {}",
      `1:1: operation: the contract has no operation "roundtrip.v1.CustomerService.GetCustomr"; did you mean "${getCustomer}"?`,
    ],
    [
      `${head}when: { ids: 7 }\n  response: {}`,
      '2:11: when.ids: roundtrip.v1.GetCustomerRequest has no field "ids"; did you mean "id"?',
    ],
    [
      `${head}response:\n    id: 1\n    nmae: Ada`,
      '4:5: response.nmae: roundtrip.v1.Customer has no field "nmae"; did you mean "name"?',
    ],
    [`${head}response: { id: seven }`, '2:15: response.id: expected an int32, got "seven"'],
    [`${head}response: { id: 3000000000 }`, "2:15: response.id: expected an int32, got 3000000000"],
    [
      `${head}response: { phone_number: 4420 }`,
      "2:15: response.phone_number: expected a string, got 4420; put it in quotes",
    ],
    [`${head}response: Ada`, '2:3: response: expected an object with the fields of roundtrip.v1.Customer, got "Ada"'],
    [`${head}responses: [{}]`, `2:3: responses: ${getCustomer} returns one message: use "response"`],
    [
      "- operation: Download\n  response: {}",
      '2:3: response: roundtrip.v1.PayloadService.Download returns a stream: use "responses"',
    ],
    [
      `${head}error: { code: NOTFOUND }`,
      /^2:12: error\.code: unknown error code "NOTFOUND"; did you mean "NOT_FOUND"\? \(valid: CANCELLED, .*\)$/,
    ],
    [
      `${head}error: { code: NOT_FOUND, details: { domian: x } }`,
      /^2:40: error\.details\.domian: unknown member "domian" in .*did you mean "domain"\?/,
    ],
    [`${head}reponse: {}`, /^2:3: reponse: unknown member "reponse" in a stub; did you mean "response"\? /],
    [
      `${head}when: {}`,
      "1:3: expected one of response, responses, error, made-up, made-up and response, answers, or responses and error; got none",
    ],
    [`${head}response: {}\n  error: { code: ABORTED }`, /^1:3: expected one of .*; got response and error$/],
    [`${head}answers: []`, "2:3: answers: expected a list of at least 1, got 0"],
    [
      `${head}answers:\n    - response: {}\n    - response: { id: [] }`,
      "4:19: answers[1].response.id: expected an int32, got []",
    ],
    [
      "just a text",
      '1:1: expected a stub: an object with operation, when, when-headers, response, responses, error, made-up, keep, headers, template, answers, got "just a text"',
    ],
    ["- operation: [SayHello\n", /^2:1: Flow sequence .*$/],
    [`${head}response: {}\n  response: {}`, "3:3: Map keys must be unique"],
    [`${head}response: *nowhere`, "2:13: no anchor &nowhere before this alias"],
  ])("%j", (text, message) => {
    expect(faultOf(text)).toMatch(message);
  });

  const look = "operation: Look\n";
  const echo = "operation: Echo\nresponse: { values: ";
  it.each([
    [
      `${look}response: { request: { colours: [COLOUR_REED] } }`,
      /request\.colours\[0\]: expected a value of .*, got "COLOUR_REED"; did you mean "COLOUR_RED"\?/,
    ],
    [`${look}response: { request: { texts: one } }`, 'response.request.texts: expected a list, got "one"'],
    [
      `${look}response: { request: { texts: [one, 2] } }`,
      "response.request.texts[1]: expected a string, got 2; put it in quotes",
    ],
    [`${look}response: { request: { texts: [one, null] } }`, "response.request.texts[1]: expected a string, got null"],
    [
      `${echo}{ wellKnown: { time: yesterday } } }`,
      'response.values.wellKnown.time: expected a google.protobuf.Timestamp in ProtoJSON, got "yesterday"',
    ],
    [`${echo}{ wellKnown: { any: { "@type": "x/no.Such" } } } }`, /wellKnown\.any: expected a google\.protobuf\.Any/],
    [`${echo}{ maps: { largeNumberByNumber: { one: 1 } } } }`, /largeNumberByNumber\.one: expected an int64, got 1/],
    [
      `${echo}{ maps: { treeByText: { "a.b": { lable: x } } } } }`,
      'response.values.maps.treeByText["a.b"].lable: roundtrip.conformance.v1.Tree has no field "lable"; did you mean "label"?',
    ],
    [`${echo}{ maps: { treeByText: [] } } }`, "response.values.maps.treeByText: expected a map, got []"],
    [
      `${echo}{ scalars: { bytesValue: "%%" } } }`,
      'response.values.scalars.bytesValue: expected bytes in base64, got "%%"',
    ],
    [`${echo}{ scalars: { stringValue: "\\ud800" } } }`, /scalars\.stringValue: expected a string, got/],
    [
      `${echo}{ wrappers: { int64Value: {} } } }`,
      /wrappers\.int64Value: expected a google\.protobuf\.Int64Value in ProtoJSON, got \{\}/,
    ],
    [
      `${echo}{ choice: { text: a, flag: true } } }`,
      /response: expected a roundtrip\.conformance\.v1\.EchoResponse .*oneof/,
    ],
  ])("%j, for every kind of value", (text, message) => {
    expect(faultOf(text, conformanceContract())).toMatch(message);
  });
});

describe("limits reject at once", () => {
  it("aliases that stand for millions of values", () => {
    const letters = "abcdefghi".split("");
    const lines = letters.map((letter, index) => {
      const inside = index === 0 ? "x" : `*${letters[index - 1]}`;
      return `${letter}: &${letter} [${Array.from({ length: 9 }, () => inside).join(", ")}]`;
    });
    expect(faultOf(lines.join("\n"))).toMatch(/more than 1000000 values, counting each use of an alias$/);
  });

  it("values that contain themselves", () => {
    expect(faultOf("operation: SayHello\nwhen: &a { name: *a }\nresponse: {}")).toMatch(
      /: nested deeper than 64 levels$/,
    );
  });

  it("endless brackets", () => {
    expect(faultOf("[".repeat(100_000))).toMatch(/: nested too deeply$/);
    expect(faultOf(`${"[".repeat(100)}${"]".repeat(100)}`)).toMatch(/: nested deeper than 64 levels$/);
  });

  it("files that are too large", async () => {
    const folder = await newFolder();
    const path = join(folder, "large.yaml");
    await writeFile(path, `# ${"x".repeat(8 * 1024 * 1024)}`);
    await expect(readStubs(path, contract)).rejects.toThrow(`${path} is larger than 8388608 bytes`);
  });
});

it.each<readonly [string, string]>([
  ["when-headers: { content-type: x }", "when-headers.content-type: content-type belongs to the protocols"],
  ["when-headers: { x: 1 }", "when-headers.x: expected a text, a pattern or null, got 1"],
  ["when-headers: { x: { globe: '*' } }", 'when-headers.x.globe: unknown member "globe"'],
  ["when-headers: []", "when-headers: expected a map, got []"],
  ["headers: { x: 1 }", "headers.x: expected a string, got 1"],
  ["headers: { content-length: '1' }", "content-length is reserved"],
  ["template: 1", "template: expected true or false, got 1"],
])("a stub with %s is refused", (member, message) => {
  const text = `operation: SayHello\n${member}\nresponse: {}`;
  expect(() => parseStubs(text, "stubs.yaml", contract)).toThrow(message);
});

it.each<readonly [string, string]>([
  ["{{request.nam}}", 'stubs.yaml:3:13: response.message: roundtrip.v1.SayHelloRequest has no field "nam"'],
  ["{{name}}", "response.message: unknown placeholder {{name}} (valid: {{request.FIELD}} and {{headers.NAME}})"],
  ["{{request.name.first}}", 'name has no field "first"'],
])("with %s is refused", (text, message) => {
  const stub = `operation: SayHello\ntemplate: true\nresponse: { message: "${text}" }`;
  expect(() => parseStubs(stub, "stubs.yaml", contract)).toThrow(message);
});

it("is refused if no request can fill it", () => {
  const stub = 'operation: GetCustomer\ntemplate: true\nresponse: { id: "{{request.id}} x" }';
  expect(() => parseStubs(stub, "stubs.yaml", contract)).toThrow("response.id: expected an int32");
});

// The JSON schema for editors is made from the schema of the reader: what it can express, it refuses too.
const isValid = new Ajv2020({ allErrors: true }).compile(jsonSchemas()["stubs.v1.schema.json"]);

function isRead(stubs: JsonValue): boolean {
  try {
    parseStubs(JSON.stringify(stubs), "stubs.json", contract);
    return true;
  } catch {
    return false;
  }
}

const operation = "GetCustomer";
const error = { code: "NOT_FOUND" };

it.each<readonly [boolean, JsonValue]>([
  [true, { operation, response: {} }],
  [
    true,
    [
      {
        operation,
        when: { id: 1 },
        error: { ...error, message: "gone", details: { reason: "GONE", metadata: { a: "b" } } },
      },
    ],
  ],
  [true, { operation, "made-up": true }],
  [true, { operation, "made-up": true, response: { id: 1 }, keep: false }],
  [false, { operation, "made-up": true, error }],
  [false, { operation, "made-up": true, responses: [] }],
  [false, { operation, keep: true }],
  [true, { operation, answers: [{ error }, { response: { id: 1 } }, { "made-up": true }] }],
  [true, { operation: "Download", responses: [{}, {}], error }],
  [true, { operation: "Download", answers: [{ responses: [], error }, { error }] }],
  [true, []],
  [false, { response: {} }],
  [false, { operation }],
  [false, { operation, reponse: {} }],
  [false, { operation, "made-up": false }],
  [false, { operation, answers: [] }],
  [false, { operation, answers: [{ response: {} }], response: {} }],
  [false, { operation, error: {} }],
  [false, { operation, error: { ...error, details: { why: "" } } }],
  [false, "GetCustomer"],
])("the schema and the reader agree: %s for %j", (isRight, stubs) => {
  expect({ schema: isValid(stubs), reader: isRead(stubs) }).toEqual({ schema: isRight, reader: isRight });
});
