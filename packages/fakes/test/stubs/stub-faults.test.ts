// Errors in stub files: one line with the position, what is wrong and the likely intention.
import { builtInContract } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FakeError } from "../../src/basics/fake-error.ts";
import { parseStubs, readStubs } from "../../src/stubs/read-stubs.ts";

const contract = builtInContract();
const getCustomer = "roundtrip.v1.CustomerService.GetCustomer";

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
      "operation: Echo\nresponse: {}\n---\noperation: Ecko\nresponse: {}",
      '4:1: operation: the contract has no operation "Ecko"; did you mean "Echo"?',
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
    [`${head}error: { message: gone }`, "2:3: error.code: expected the code of an error, got null"],
    [
      `${head}error: { code: NOT_FOUND, details: { domian: x } }`,
      /^2:40: error\.details\.domian: unknown member "domian" in .*did you mean "domain"\?/,
    ],
    [`${head}reponse: {}`, /^2:3: reponse: unknown member "reponse" in a stub; did you mean "response"\? /],
    [`${head}when: {}`, "1:3: expected one of response, responses, error, made-up, or responses and error; got none"],
    [`${head}response: {}\n  error: { code: ABORTED }`, /^1:3: expected one of .*; got response and error$/],
    [`${head}answers: []`, "1:3: a stub needs at least one answer"],
    [
      `${head}answers:\n    - response: {}\n    - response: { id: [] }`,
      "4:19: answers[1].response.id: expected an int32, got []",
    ],
    [`${head}response: {}\n  answers: [{ response: {} }]`, '2:3: response: give "response" or "answers", not both'],
    [
      "just a text",
      '1:1: expected a stub: an object with operation, when, when-headers, response, responses, error, made-up, headers, template, answers, got "just a text"',
    ],
    ["- operation: [SayHello\n", /^2:1: Flow sequence .*$/],
    [`${head}response: {}\n  response: {}`, "3:3: Map keys must be unique"],
    [`${head}response: *nowhere`, "2:13: no anchor &nowhere before this alias"],
    [`${head}response: { id: 1, id : 2 }`, "2:22: Map keys must be unique"],
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
    [`${echo}{ awkwardNames: { to_string: a, toString: b } } }`, /response: expected a .*EchoResponse in ProtoJSON/],
    [`${echo}{ awkwardNames: { hasOwnProperty: a } } }`, /has no field "hasOwnProperty"/],
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
    const folder = await mkdtemp(join(tmpdir(), "roundtrip-stubs-"));
    const path = join(folder, "large.yaml");
    await writeFile(path, `# ${"x".repeat(8 * 1024 * 1024)}`);
    await expect(readStubs(path, contract)).rejects.toThrow(`${path} is larger than 8388608 bytes`);
  });
});
