// Studies of contracts that nobody here wrote: derived from the contract, or of tasks in a file; errors are reported before the measurement.
import { create, toBinary } from "@bufbuild/protobuf";
import type { Client } from "@roundtrip/contract";
import { FakeError, memoryClient } from "@roundtrip/fakes";
import { measuredFake } from "@roundtrip/fakes/measured";
import {
  derivedStudy,
  parseTaskFile,
  studyOfTasks,
  tasksIn,
  withoutWriting,
  type LeftOut,
} from "@roundtrip/bench/own-contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { parseDocuments } from "@roundtrip/fakes/parts";
import { beforeAll, describe, expect, it } from "vitest";
import { KnownResources } from "../own-contract/known-resources.ts";
import { compileContract } from "../../packages/stacks/test/support/compile-contract.ts";

const proto = `syntax = "proto3";
package library.v1;
import "google/api/annotations.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/empty.proto";
import "buf/validate/validate.proto";
service Library {
  rpc GetShelf(GetShelfRequest) returns (Shelf) { option (google.api.http) = { get: "/v1/{name=shelves/*}" }; }
  rpc ListShelves(ListShelvesRequest) returns (ListShelvesResponse) { option (google.api.http) = { get: "/v1/shelves" }; }
  rpc CreateShelf(CreateShelfRequest) returns (Shelf) { option (google.api.http) = { post: "/v1/shelves" body: "shelf" }; }
  rpc UpdateShelf(UpdateShelfRequest) returns (Shelf) { option (google.api.http) = { put: "/v1/{shelf.name=shelves/*}" body: "shelf" }; }
  rpc DeleteShelf(GetShelfRequest) returns (google.protobuf.Empty) { option (google.api.http) = { delete: "/v1/{name=shelves/*}" }; }
  rpc WatchShelves(ListShelvesRequest) returns (stream Shelf);
  rpc Talk(stream Shelf) returns (stream Shelf);
}
message Shelf { string name = 1; string theme = 2; int32 length_cm = 3; }
message GetShelfRequest { string name = 1; google.protobuf.FieldMask read_mask = 2; }
message ListShelvesRequest { int32 page_size = 1 [(buf.validate.field).int32 = {gte: 0, lte: 100}]; string page_token = 2; }
message ListShelvesResponse { repeated Shelf shelves = 1; string next_page_token = 2; }
message CreateShelfRequest { Shelf shelf = 1; }
message UpdateShelfRequest { Shelf shelf = 1; }
`;

let contract: ReturnType<typeof compileContract>;

beforeAll(() => {
  contract = compileContract(proto);
});

function open(): Client {
  const service = measuredFake(contract);
  return memoryClient(() => service);
}

async function derived(...wanted: readonly string[]) {
  return derivedStudy(contract, {
    available: contract.operations,
    byField: true,
    wanted: wanted.length === 0 ? undefined : wanted.map((name) => contract.operation(`library.v1.Library.${name}`)),
    open,
    clients: [{ title: "memory", client: open() }],
    mayWrite: true,
    isRepeatable: true,
  });
}

function whyLeftOut(leftOut: readonly LeftOut[], name: string): string {
  return leftOut.find(({ operations }) => operations.includes(name))?.why ?? "";
}

const file = `tasks:
  - name: read
    compare: [shelves]
    variants:
      facade:
        - operation: ListShelves
          request: { pageSize: 3 }
      each:
        - operation: ListShelves
          request: { pageSize: 3 }
          as: page
        - for-each: page.shelves
          as: shelf
          at-once: true
          steps:
            - operation: GetShelf
              request: { name: "\${shelf.name}" }
              into: shelves
`;

async function studyOf(text: string) {
  return studyOfTasks(parseTaskFile(text, "tasks.yaml", contract), open(), [{ title: "memory", client: open() }]);
}

describe("a contract without a study", () => {
  it("is measured call by call, with names that there are, and field by field where a call takes a mask", async () => {
    const { study } = await derived();
    const names = study?.tasks.map(({ name }) => name);
    // Reads first: answers that are compared are those of fresh servers.
    expect(names).toEqual(["GetShelf", "ListShelves", "UpdateShelf"]);
    const [get, list] = study?.tasks ?? [];
    expect(Object.keys(get?.variants ?? {})).toEqual(["facade", "chatty", "chatty-parallel", "together"]);
    expect(get?.variants.facade?.steps).toMatchObject([
      { request: { name: expect.stringMatching(/^shelves\/[^/]+$/) } },
    ]);
    expect(get?.variants.chatty?.steps.map(({ request }) => request)).toMatchObject(
      ["name", "theme", "lengthCm"].map((readMask) => ({ readMask })),
    );
    expect(get?.expected).toMatchObject({ name: expect.any(String), theme: expect.any(String) });
    expect(Object.keys(list?.variants ?? {})).toEqual(["single"]);
  });

  it("reports which calls are left out, and why", async () => {
    const { leftOut } = await derived();
    expect(whyLeftOut(leftOut, "WatchShelves")).toContain("streams");
    expect(whyLeftOut(leftOut, "CreateShelf")).toContain("makes something new");
    expect(whyLeftOut(leftOut, "DeleteShelf")).toContain("when called again NOT_FOUND");
  });

  it("measures what is asked for by name, comparing what is the same in each answer", async () => {
    const { study, notCompared } = await derived("CreateShelf");
    expect(study?.tasks).toMatchObject([{ name: "CreateShelf", answerKeys: expect.not.arrayContaining(["name"]) }]);
    expect(notCompared.get("CreateShelf")).toContain("name");
  });

  it("leaves nothing to measure where all that is asked for streams", async () => {
    expect((await derived("WatchShelves")).study).toBeUndefined();
  });

  it("gives the same requests each time", async () => {
    expect(await derived()).toEqual(await derived());
  });
});

describe("tasks in a file", () => {
  it("become fixed steps: a loop over an answer is followed once, with its calls at once where it says so", async () => {
    const { name, tasks } = await studyOf(file);
    expect(name).toBe("tasks");
    const steps = tasks[0]?.variants.each?.steps ?? [];
    expect(steps.map(({ operation, set, into }) => [operation.split(".").at(-1), set, into])).toEqual([
      ["ListShelves", undefined, undefined],
      ...[0, 1, 2].map((index) => ["GetShelf", 1, { member: "shelves", index }]),
    ]);
    expect(new Set(steps.slice(1).map(({ request }) => JSON.stringify(request))).size).toBe(3);
    expect(tasks[0]).toMatchObject({ answerKeys: ["shelves"], setup: [] });
  });

  it("know what setup was answered, in loops inside of loops, in texts and for a first few items", async () => {
    const text = `name: nested
tasks:
  - name: again
    calls: 7
    setup:
      - { operation: ListShelves, request: { page_size: 2 }, as: page }
    variants:
      each:
        - for-each: page.shelves
          as: outer
          most: 1
          steps:
            - for-each: page.shelves
              as: inner
              steps:
                - { operation: UpdateShelf, request: { shelf: { name: "\${outer.name}", theme: "like \${inner.name}, \${inner.length_cm}" } }, into: all }
`;
    const { tasks } = await studyOf(text);
    const themes = tasks[0]?.variants.each?.steps.map(
      ({ request }) => (request as { shelf: { theme: string } }).shelf.theme,
    );
    expect(themes).toEqual([
      expect.stringMatching(/^like shelves\/.+, -?\d+$/),
      expect.stringMatching(/^like shelves\//),
    ]);
    expect(tasks[0]).toMatchObject({ tasksPerRound: 7, tasksPerBlock: 7, setup: [{ request: { page_size: 2 } }] });
    expect(withoutWriting(parseTaskFile(text, "t", contract))).toMatchObject({
      file: { tasks: [] },
      writing: ["again"],
    });
  });

  it("read a stream to its end", async () => {
    const { tasks } = await studyOf("tasks: [{ name: w, variants: { single: [{ operation: WatchShelves }] } }]");
    expect(tasks[0]?.variants.single?.steps).toMatchObject([{ needs: "serverStream" }]);
  });

  it("are those of an earlier contract, without the tasks that call what it lacks", () => {
    const earlier = compileContract(proto.replace(/ +rpc UpdateShelf.*\n/, ""));
    const both = `${file}  - name: write
    variants: { single: [{ at-once: [{ operation: UpdateShelf }, { operation: ListShelves }] }] }
`;
    const known = new Set(earlier.operations.map(({ id }) => id));
    const found = tasksIn(parseTaskFile(both, "tasks.yaml", contract), earlier, known);
    expect(found.missing).toEqual([{ task: "write", what: "calls library.v1.Library.UpdateShelf", isWholeTask: true }]);
    expect(found.file.tasks.map(({ name }) => name)).toEqual(["read"]);
    const [, loop] = found.file.tasks[0]?.variants[1]?.steps ?? [];
    const [inside] = loop?.kind === "loop" ? loop.steps : [];
    expect(inside?.kind === "call" && inside.operation).toBe(earlier.operation("library.v1.Library.GetShelf"));
  });

  const faults: readonly (readonly [change: readonly [from: string, to: string], message: string])[] = [
    [
      ["ListShelves", "ListShelvs"],
      'tasks.yaml:6:11: tasks[0].variants.facade[0].operation: the contract has no operation "ListShelvs"; did you mean "ListShelves"?',
    ],
    [
      ["pageSize: 3", "pagesize: 3"],
      'tasks.yaml:7:22: tasks[0].variants.facade[0].request.pagesize: library.v1.ListShelvesRequest has no field "pagesize"; did you mean "pageSize"?',
    ],
    [["pageSize: 3", "pageSize: 500"], "answered INVALID_ARGUMENT: page_size: "],
    [
      ["page.shelves", "page.nextPageToken"],
      "tasks.yaml:12:11: tasks[0].variants.each[1].for-each: page.nextPageToken is no list, but ",
    ],
    [["page.shelves", "page.shelvs"], 'page has no shelvs; did you mean "shelves"?'],
    [["as: page", "as: pages"], 'nothing before is called "page"; did you mean "pages"? (known here: pages)'],
    [
      ["shelf.name}", "shelf.nam}"],
      'tasks.yaml:17:26: tasks[0].variants.each[1].steps[0].request.name: shelf has no nam; did you mean "name"?',
    ],
    [
      ["compare: [shelves]", "compare: [shelfs]"],
      'tasks.yaml:3:15: tasks[0].compare[0]: no answer has "shelfs"; facade has shelves',
    ],
    [["      each:", "      chatty:"], '"chatty" is one call after the other in every report'],
    [
      ["as: shelf", "at: shelf"],
      'unknown member "at" in a loop; did you mean "as"? (valid: for-each, as, at-once, most, steps)',
    ],
    [["operation: GetShelf", "operation: Talk"], "library.v1.Library.Talk streams both ways"],
    [
      ["pageSize: 3", "pageSize: 2"],
      'tasks.yaml:8:7: tasks[0].variants.each: facade and each do not answer alike: of "shelves"',
    ],
    [["    variants:", "\tvariants:"], "tasks.yaml:4:1: Tabs are not allowed as indentation"],
    [["name: read", "name: read shelf"], "expected a name of letters"],
  ];

  it.each(faults)("with %j instead are refused with the place and what helps", async ([from, to], message) => {
    const error: unknown = await studyOf(file.replace(from, to)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(FakeError);
    expect((error as FakeError).message).toContain(message);
    expect((error as FakeError).message).toMatch(/^tasks\.yaml:\d+:\d+: /);
  });
});

/** Whether a file has the form that one has. */
function isRead(text: string): boolean {
  try {
    parseTaskFile(text, "tasks.yaml", contract);
    return true;
  } catch {
    return false;
  }
}

describe("schema/tasks.v1.schema.json", () => {
  const schema = JSON.parse(
    readFileSync(new URL("../../schema/tasks.v1.schema.json", import.meta.url), "utf8"),
  ) as object;
  const isTaken = new Ajv2020({ allErrors: true }).compile(schema);

  const call = "{ operation: ListShelves }";

  it.each([
    file,
    `{ $schema: x, name: a, title: b, question: c?, rounds: 2, tasks: [{ name: t, calls: 3, setup: [${call}], variants: { together: { order: together, steps: [${call}] } } }] }`,
    `tasks: [{ name: t, variants: { a: [{ at-once: [${call}, ${call}] }] } }]`,
    "tasks: []",
    "tasks: [{ name: t }]",
    "tasks: [{ name: t, variants: {} }]",
    "tasks: [{ name: t, variants: { a: [] } }]",
    `tasks: [{ name: t, variants: { "a b": [${call}] } }]`,
    `tasks: [{ name: t, calls: 0, variants: { a: [${call}] } }]`,
    `tasks: [{ name: t, variants: { a: { order: random, steps: [${call}] } } }]`,
    `tasks: [{ name: t, variants: { a: [{ for-each: x.y, steps: [${call}] }] } }]`,
    `tasks: [{ name: t, variants: { a: [{ for-each: x.y, as: z, most: 0, steps: [${call}] }] } }]`,
    "tasks: [{ name: t, variants: { a: [{ operation: ListShelves, then: x }] } }]",
    `rounds: many\ntasks: [{ name: t, variants: { a: [${call}] } }]`,
  ])("takes what is read, and refuses what is refused for its form: %s", (text) => {
    expect(isTaken(parseDocuments(text, "t")[0]?.value)).toBe(isRead(text));
  });
});

it("requests with known resources stay small where each answer repeats its request", () => {
  const types = Array.from({ length: 18 }, (_, index) => `M${index}`);
  const fields = types.map((type, index) => `${type} f${index} = ${index + 2};`).join(" ");
  const messages = types.map((type) => `message ${type} { string name = 1; ${fields} }`).join("\n");
  const methods = types.map((type) => `rpc Get${type}(${type}) returns (${type});`).join("\n");
  const { operations, registry } = compileContract(
    `syntax = "proto3"; package all.v1;\n${messages}\nservice All { ${methods} }`,
  );
  const known = new KnownResources();
  const sizes = operations.map((operation) => {
    const whole = create(operation.input, Object.fromEntries(types.map((_, index) => [`f${index}`, {}])));
    const request = known.asking(operation, whole, (name) => registry.getMessage(name));
    known.learn(operation.output, request);
    return toBinary(operation.input, request).length;
  });
  expect(sizes.length).toBe(18);
  expect(Math.max(...sizes)).toBeLessThan(20_000);
});
