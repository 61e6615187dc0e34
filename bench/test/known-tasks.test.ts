// Tasks written for the newest contract, as far as an earlier one supports them.
import { parseTaskFile, tasksIn } from "@roundtrip/bench/own-contract";
import { expect, it } from "vitest";
import { compileContract } from "../../packages/stacks/test/support/compile-contract.ts";

const proto = `syntax = "proto3";
package library.v1;
service Library {
  rpc ListShelves(ListShelvesRequest) returns (ListShelvesResponse);
  rpc UpdateShelf(UpdateShelfRequest) returns (Shelf);
}
message Shelf { string name = 1; string theme = 2; }
message ListShelvesRequest { int32 page_size = 1; }
message ListShelvesResponse { repeated Shelf shelves = 1; }
message UpdateShelfRequest { Shelf shelf = 1; }
`;

const text = `tasks:
  - name: read
    variants:
      single: [{ operation: ListShelves, as: page, request: { pageSize: 3 } }]
      loop:
        - { operation: ListShelves, as: page }
        - { for-each: page.shelves, as: one, steps: [{ operation: UpdateShelf, request: { shelf: { name: "\${one.name}", theme: x } } }] }
  - name: mixed
    mix:
      - { operation: ListShelves, requests: [{}, { pageSize: 2 }] }
      - { operation: UpdateShelf, requests: [{ shelf: { theme: x } }] }
`;

/** The tasks as a contract supports them that has this in place of that. */
function before(that: string, earlier: string): ReturnType<typeof tasksIn> {
  const newest = compileContract(proto);
  const known = new Set(newest.operations.map(({ id }) => id));
  return tasksIn(parseTaskFile(text, "t", newest), compileContract(proto.replace(that, earlier)), known);
}

it("leaves out tasks, and requests of mixes, that send a field which the earlier contract lacks, also beside references", () => {
  const { file, missing } = before("string theme = 2;", "");
  expect(missing).toEqual([
    { task: "read", what: "sends library.v1.Shelf.theme", isWholeTask: true },
    { task: "mixed", what: "sends library.v1.Shelf.theme", isWholeTask: false },
  ]);
  expect(file.tasks.map(({ mix }) => mix.map(({ requests }) => requests.length))).toEqual([[2]]);
});

it("leaves out what sends a value that the earlier contract does not allow there", () => {
  const { file, missing } = before("int32 page_size", "bool page_size");
  const what = expect.stringMatching(/^sends a request to ListShelves \(.*pageSize/) as string;
  expect(missing).toEqual([
    { task: "read", what, isWholeTask: true },
    { task: "mixed", what, isWholeTask: false },
  ]);
  expect(file.tasks.map(({ mix }) => mix.map(({ requests }) => requests.length))).toEqual([[1, 1]]);
});
