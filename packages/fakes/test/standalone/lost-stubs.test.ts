// A change of the contract says which stubs added by hand it removes.
import { expect, it } from "vitest";
import { noFaults } from "../../src/faults/fault-schema.ts";
import { standaloneFake } from "../../src/standalone/standalone-fake.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";

const contractWith = (fields: string) =>
  compileContract(`
syntax = "proto3";
package acme.v1;
service Jobs {
  rpc GetJob(JobRequest) returns (Job);
  rpc StopJob(JobRequest) returns (Job);
}
message JobRequest { string id = 1; }
message Job { string id = 1; ${fields} }
`);

const stub = (operation: string, id: string) => ({ operation, when: { id }, response: { title: "T" } });

it.each([
  ["that is incompatible", "", true],
  ["that is compatible", "string note = 2; string title = 3;", false],
])("names the stubs that do not fit after a change %s", (_what, fields, isLost) => {
  const standalone = standaloneFake({ contract: contractWith("string title = 3;"), stubs: [], faults: noFaults });
  standalone.stubs.add([stub("GetJob", "1"), stub("acme.v1.Jobs.StopJob", "2")]);
  standalone.stubs.add([{ operation: "GetJob", response: { id: "kept" } }]);
  standalone.stubs.add([stub("StopJob", "3")], "mine");
  const { text } = standalone.takeFiles({ contract: contractWith(fields) });
  const why = 'response.title: acme.v1.Job has no field "title"';
  expect(text).toBe(
    !isLost
      ? "Applied: 2 operations; state kept."
      : `Applied: 2 operations; reset 1 stub: StopJob with {"id":"3"}: ${why}; removed 2 stubs added by hand: ` +
          `GetJob with {"id":"1"}: ${why}; acme.v1.Jobs.StopJob with {"id":"2"}: ${why}.`,
  );
  expect(standalone.stubs.all).toHaveLength(isLost ? 1 : 4);
});
