// Mixes in task files: operations with their shares, of which each execution makes one call.
import { create } from "@bufbuild/protobuf";
import { fittingMixes, parseTaskFile, studyOfTasks, withoutWriting } from "@roundtrip/bench/own-contract";
import type { Client } from "@roundtrip/contract";
import { memoryClient } from "@roundtrip/fakes";
import { measuredFake } from "@roundtrip/fakes/measured";
import { parseDocuments } from "@roundtrip/fakes/parts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";
import { expect, describe, it } from "vitest";
import { compileContract } from "../../packages/stacks/test/support/compile-contract.ts";

const contract = compileContract(`syntax = "proto3";
package library.v1;
import "google/api/annotations.proto";
import "google/protobuf/empty.proto";
service Library {
  rpc GetShelf(GetShelfRequest) returns (Shelf) { option (google.api.http) = { get: "/v1/{name=shelves/*}" }; }
  rpc ListShelves(ListShelvesRequest) returns (ListShelvesResponse) { option (google.api.http) = { get: "/v1/shelves" }; }
  rpc CreateShelf(CreateShelfRequest) returns (Shelf) { option (google.api.http) = { post: "/v1/shelves" body: "shelf" }; }
  rpc DeleteShelf(GetShelfRequest) returns (google.protobuf.Empty) { option (google.api.http) = { delete: "/v1/{name=shelves/*}" }; }
  rpc Talk(stream Shelf) returns (stream Shelf);
}
message Shelf { string name = 1; string theme = 2; }
message GetShelfRequest { string name = 1; }
message ListShelvesRequest { int32 page_size = 1; string page_token = 2; }
message ListShelvesResponse { repeated Shelf shelves = 1; string next_page_token = 2; }
message CreateShelfRequest { Shelf shelf = 1; }
`);

function open(): Client {
  const service = measuredFake(contract);
  return memoryClient(() => service);
}

/** The name of a shelf that the fake has. */
async function shelf(): Promise<string> {
  const list = contract.operation("library.v1.Library.ListShelves");
  const answer = (await open().prepare(list)(create(list.input), {})) as unknown as {
    readonly shelves: readonly { readonly name: string }[];
  };
  return answer.shelves[0]?.name ?? "";
}

const parse = (text: string) => parseTaskFile(text, "day.yaml", contract);

async function planOf(text: string) {
  const study = await studyOfTasks(parse(text), open(), [{ title: "memory", client: open() }]);
  const [task] = study.tasks;
  const plan = task?.variants["mix"];
  const turns = plan?.turns ?? [];
  const counts = plan?.steps.map((_, step) => turns.filter((turn) => turn === step).length) ?? [];
  return { task, plan, turns, counts };
}

async function fitting(...entries: readonly string[]) {
  const { file, ...rest } = await fittingMixes(parse(mixOf(...entries)), {
    open,
    clients: [{ title: "memory", client: open() }],
  });
  const mix = file.tasks[0]?.mix.map(({ operation, requests }) => [
    operation.method.name,
    requests.map(({ json }) => json),
  ]);
  return { mix, ...rest };
}

const mixOf = (...entries: readonly string[]): string =>
  `tasks: [{ name: day, calls: 100, mix: [${entries.join(", ")}] }]`;
const list = "{ operation: ListShelves, share: 3, requests: [{ pageSize: 1 }, { pageSize: 2 }, { pageSize: 1 }] }";

describe("a mix", () => {
  it("makes each request as often as its share says, twice as often where it is listed twice", async () => {
    const { plan, counts, task } = await planOf(
      mixOf(list, `{ operation: GetShelf, requests: [{ name: ${await shelf()} }] }`),
    );
    expect(plan?.steps.map(({ request }) => request)).toEqual([
      { pageSize: 1 },
      { pageSize: 2 },
      { name: await shelf() },
    ]);
    expect(counts).toEqual([50, 25, 25]);
    expect(task).toMatchObject({ tasksPerRound: 100, tasksPerBlock: 100, callers: 1 });
  });

  it("makes every request at least once, and has the same order each time", async () => {
    const text = mixOf(
      "{ operation: ListShelves, share: 9999 }",
      `{ operation: GetShelf, requests: [{ name: ${await shelf()} }] }`,
    );
    const { counts, turns } = await planOf(text);
    expect(counts).toEqual([99, 1]);
    expect((await planOf(text)).turns).toEqual(turns);
  });

  it("compares the answers that are the same when called twice", async () => {
    const { task } = await planOf(
      mixOf("{ operation: ListShelves }", "{ operation: CreateShelf, requests: [{ shelf: { theme: x } }] }"),
    );
    expect(task?.answerKeys).toEqual(["ListShelves 1"]);
  });

  it("can use the answers of a setup", async () => {
    const text = `tasks:
  - name: day
    setup: [{ operation: CreateShelf, request: { shelf: { theme: x } }, as: made }]
    mix: [{ operation: GetShelf, requests: [{ name: "\${made.name}" }] }]`;
    const { plan } = await planOf(text);
    expect(plan?.steps[0]?.request).toEqual({ name: expect.stringMatching(/^shelves\//) });
  });

  it("leaves out and lists requests that are not answered, or not twice", async () => {
    const requests = `requests: [{ name: ${await shelf()} }, { name: shelves/none }, { name: shelves/nobody }]`;
    const { mix, leftOut } = await fitting(
      `{ operation: GetShelf, ${requests} }`,
      "{ operation: DeleteShelf, requests: [{ name: shelves/none }] }",
    );
    expect(mix).toEqual([["GetShelf", [{ name: await shelf() }]]]);
    expect(leftOut.map(({ operations }) => operations[0])).toEqual([
      "2 requests of GetShelf",
      "1 request of DeleteShelf",
    ]);
    expect(leftOut.every(({ why }) => why.includes("NOT_FOUND"))).toBe(true);
  });

  it("calls an operation with an example where none of its requests is answered", async () => {
    const { mix, byExample } = await fitting("{ operation: GetShelf, share: 7, requests: [{ name: shelves/none }] }");
    expect(mix).toEqual([["GetShelf", [{ name: await shelf() }]]]);
    expect(byExample.map(({ method }) => method.name)).toEqual(["GetShelf"]);
  });

  it("leaves out its writing operations on a server that others use", () => {
    const { file, writing } = withoutWriting(parse(mixOf("{ operation: ListShelves }", "{ operation: CreateShelf }")));
    expect(file.tasks[0]?.mix.map(({ operation }) => operation.method.name)).toEqual(["ListShelves"]);
    expect(writing).toEqual(["CreateShelf"]);
  });

  it.each([
    ["no operation", mixOf(), "expected 1 to 200 operations"],
    ["an unknown operation", mixOf("{ operation: GetShelve }"), 'did you mean "GetShelf"?'],
    ["an unknown field", mixOf("{ operation: GetShelf, requests: [{ nam: x }] }"), "nam"],
    ["a share of nothing", mixOf("{ operation: ListShelves, share: 0 }"), "expected a number above 0, got 0"],
    ["a stream in both directions", mixOf("{ operation: Talk }"), "streams both ways"],
    [
      "variants beside it",
      "tasks: [{ name: t, mix: [{ operation: ListShelves }], variants: { a: [{ operation: ListShelves }] } }]",
      'remove "variants"',
    ],
  ])("refuses %s with its position", (_, text, message) => {
    expect(() => parse(text)).toThrow(
      new RegExp(`^day\\.yaml:\\d+:\\d+: .*${message.replaceAll(/[?()]/g, String.raw`\$&`)}`),
    );
  });

  it("has a schema that takes what is read, and refuses what is refused for its form", () => {
    const path = new URL("../../schema/tasks.v1.schema.json", import.meta.url);
    const isTaken = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(path, "utf8")) as object);
    for (const text of [
      mixOf(list),
      mixOf(),
      mixOf("{ operation: ListShelves, share: -1 }"),
      mixOf("{ operation: ListShelves, requests: [] }"),
      "tasks: [{ name: t, mix: [{ operation: ListShelves }], compare: [a] }]",
    ]) {
      let isRead = true;
      try {
        parse(text);
      } catch {
        isRead = false;
      }
      expect([text, isTaken(parseDocuments(text, "t")[0]?.value)]).toEqual([text, isRead]);
    }
  });
});
