// Lists do what their request asks: fields of the same name are compared, singular or plural, and nothing else is.
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { list } from "./library.ts";
import { callsTo } from "../support/calls-to.ts";

/** A contract of tasks whose list request has this field. */
function tasks(asked: string) {
  return compileContract(`
syntax = "proto3";
package acme.todo.v1;
import "google/protobuf/wrappers.proto";
service Todo {
  rpc GetTask(GetTaskRequest) returns (Task);
  rpc ListTasks(ListTasksRequest) returns (ListTasksResponse);
  rpc CreateTask(CreateTaskRequest) returns (Task);
}
enum State { STATE_UNSPECIFIED = 0; OPEN = 1; DONE = 2; LATE = 3; }
message Task {
  string id = 1;
  State state = 2;
  string owner = 3;
  int64 priority = 4;
  repeated string labels = 5;
  repeated State history = 6;
  bool urgent = 7;
  bytes digest = 8;
  Place place = 9;
  google.protobuf.StringValue nick = 10;
  string campus = 11;
}
message Place { string city = 1; State kind = 2; }
message GetTaskRequest { string id = 1; }
message ListTasksRequest { int32 page_size = 1; string page_token = 2; ${asked} = 3; }
message ListTasksResponse { repeated Task tasks = 1; string next_page_token = 2; int32 total_size = 3; }
message CreateTaskRequest { Task task = 1; }
`);
}

const ann = {
  id: "ann",
  state: "OPEN",
  owner: "Ann",
  priority: "7777",
  labels: ["one", "two"],
  history: ["LATE"],
  urgent: true,
  nick: "Annie",
  campus: "North",
  place: { city: "Oslo", kind: "LATE" },
};
const bob = { id: "bob", state: "DONE", owner: "Bob", priority: "8888", labels: ["three"], history: ["DONE", "OPEN"] };

/** Which of two tasks a list has, among initial ones. */
async function found(asked: string, request: JsonObject): Promise<readonly string[]> {
  const call = callsTo(tasks(asked));
  await call("CreateTask", { task: ann });
  await call("CreateTask", { task: bob });
  const { tasks: all, totalSize } = await call("ListTasks", { pageSize: 1_000, ...request });
  expect(list(all)).toHaveLength((totalSize ?? 0) as number);
  return list(all).flatMap(({ id }) => (id === "ann" || id === "bob" ? [id] : []));
}

describe("a list of", () => {
  it.each<readonly [string, string, JsonObject, readonly string[]]>([
    ["a text", "string owner", { owner: "Ann" }, ["ann"]],
    ["a text inside a message", "string city", { city: "Oslo" }, ["ann"]],
    ["texts inside a message", "repeated string cities", { cities: ["Oslo", "Rome"] }, ["ann"]],
    ["an enum inside a message", "State kind", { kind: "LATE" }, ["ann"]],
    ["texts", "repeated string owners", { owners: ["Ann", "Bob"] }, ["ann", "bob"]],
    ["texts by the name of the field", "repeated string owner", { owner: ["Bob"] }, ["bob"]],
    ["texts whose name ends in s", "repeated string campuses", { campuses: ["North"] }, ["ann"]],
    ["an enum", "State state", { state: "DONE" }, ["bob"]],
    ["enums", "repeated State states", { states: ["OPEN"] }, ["ann"]],
    ["several enums", "repeated State states", { states: ["OPEN", "DONE"] }, ["ann", "bob"]],
    ["enums by the name of the field", "repeated State state", { state: ["DONE"] }, ["bob"]],
    ["large integers", "repeated int64 priorities", { priorities: ["7777"] }, ["ann"]],
    ["a flag", "bool urgent", { urgent: true }, ["ann"]],
    ["a flag in a wrapper", "google.protobuf.BoolValue urgent", { urgent: false }, ["bob"]],
    ["a text that entries have in a wrapper", "string nick", { nick: "Annie" }, ["ann"]],
    ["a text in wrappers", "google.protobuf.StringValue nick", { nick: "Annie" }, ["ann"]],
    ["an element of a list", "string label", { label: "two" }, ["ann"]],
    ["elements of a list", "repeated string labels", { labels: ["two", "three"] }, ["ann", "bob"]],
    ["an enum in a list", "State history", { history: "OPEN" }, ["bob"]],
    ["nothing that exists", "repeated string owners", { owners: ["Eve"] }, []],
    ["no values", "repeated State states", { states: [] }, ["ann", "bob"]],
    ["values of another type", "repeated int32 owners", { owners: [1] }, ["ann", "bob"]],
    ["values of another name", "repeated string people", { people: ["Ann"] }, ["ann", "bob"]],
  ])("%s has what was asked for", async (_what, asked, request, ids) => {
    expect(await found(asked, request)).toEqual(ids);
  });

  it("a page is of the list with the same values", async () => {
    const call = callsTo(tasks("repeated State states"));
    const { nextPageToken } = await call("ListTasks", { pageSize: 1, states: ["OPEN", "DONE"] });
    const next = { pageSize: 1, pageToken: nextPageToken as string };
    expect(list((await call("ListTasks", { ...next, states: ["OPEN", "DONE"] }))["tasks"])).toHaveLength(1);
    await expect(call("ListTasks", { ...next, states: ["OPEN"] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
