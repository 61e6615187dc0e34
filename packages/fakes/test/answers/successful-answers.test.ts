// Made-up answers are those of calls that succeeded: nothing says failure, and times match each other and the state beside them.
import { toJson, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { AnswerMaker } from "../../src/answers/answer-maker.ts";
import { Draw } from "../../src/answers/draw.ts";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { callsTo } from "../support/calls-to.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "google/api/field_behavior.proto";
import "google/longrunning/operations.proto";
import "google/protobuf/timestamp.proto";
import "google/rpc/status.proto";
service Jobs {
  rpc Run(RunRequest) returns (RunResponse);
  rpc Watch(RunRequest) returns (Job);
  rpc Check(RunRequest) returns (CheckError);
  rpc Insert(InsertRequest) returns (Note);
  rpc Repeat(Note) returns (Note);
  rpc Compute(RunRequest) returns (Operation);
}
message RunRequest { string id = 1; }
message RunResponse {
  string error = 1;
  google.rpc.Status status = 2;
  int32 code = 3;
  string error_message = 4;
  repeated google.rpc.Status partial_failures = 5;
  oneof result { google.rpc.Status failed = 6; string payment_error = 7; Job job = 8; }
  int32 error_count = 9;
  bool is_error = 10;
  string product_code = 11;
  Outcome outcome = 12;
  string failure_reason = 13;
}
message Outcome { oneof kind { Job job = 1; Nested nested = 2; } }
message Nested { Outcome outcome = 1; }
message Job {
  enum State { STATE_UNSPECIFIED = 0; PENDING = 1; RUNNING = 2; DONE = 3; FAILED = 4; DELETED = 5; }
  string id = 1;
  State state = 2;
  google.protobuf.Timestamp update_time = 3;
  google.protobuf.Timestamp delete_time = 4;
  google.protobuf.Timestamp create_time = 5;
  google.protobuf.Timestamp start_time = 6;
  google.protobuf.Timestamp end_time = 7;
  google.protobuf.Timestamp expire_time = 8;
  string creation_timestamp = 9;
  int64 updated_at = 10;
  bool deleted = 11;
}
message CheckError { int32 code = 1; string message = 2; }
message Note { string name = 1; string text = 2; string label = 3; string state = 4; int32 length = 5; }
message InsertRequest { Note note = 1; string request_id = 2; }
message Operation {
  enum Status { UNDEFINED_STATUS = 0; DONE = 104; PENDING = 35; RUNNING = 121; }
  string name = 1;
  Status status = 2;
  string error = 3;
}
message Disk { enum Status { UNDEFINED_STATUS = 0; READY = 1; FAILED = 2; } string status = 1; }
`);

const maker = new AnswerMaker(contract, 1);

function madeUp(name: string, count = 60): readonly JsonObject[] {
  const desc = contract.registry.getMessage(`acme.v1.${name}`);
  if (desc === undefined) throw new Error(`no message ${name}`);
  const seeds = Array.from({ length: count }, (_, seed) => seed);
  return seeds.map((seed) => toJson(desc, maker.message(desc, new Draw([seed, 0, 0, 0]))) as JsonObject);
}

describe("a made-up answer", () => {
  it("has no error, no status and no code of failure, and keeps what only sounds alike", () => {
    for (const answer of madeUp("RunResponse")) {
      expect(Object.keys(answer).filter((name) => name !== "isError")).toEqual(
        expect.not.arrayContaining(["error", "status", "code", "errorMessage", "partialFailures", "failureReason"]),
      );
      expect(answer).toMatchObject({ job: {}, productCode: expect.stringMatching(/./) as string });
      expect(answer["isError"]).toBeUndefined();
      expect([answer["failed"], answer["paymentError"]]).toEqual([undefined, undefined]);
    }
    expect(madeUp("CheckError")[0]).toMatchObject({ code: expect.any(Number) as number });
  });

  it("sets a group that is all its message has, however deep", () => {
    const check = (outcome: JsonObject | undefined): void => {
      expect(Object.keys(outcome ?? {})).toHaveLength(1);
      const { nested } = outcome as { readonly nested?: JsonObject };
      if (nested?.["outcome"] !== undefined) check(nested["outcome"] as JsonObject);
    };
    for (const { outcome } of madeUp("RunResponse")) check(outcome as JsonObject);
  });

  it("has times in order, and only those that its state allows", () => {
    const jobs = madeUp("Job", 200);
    expect(new Set(jobs.map(({ state }) => state))).toEqual(new Set(["PENDING", "RUNNING", "DONE", "DELETED"]));
    for (const job of jobs) {
      const { state, createTime, startTime, endTime, updateTime, deleteTime, expireTime } = job as Record<
        string,
        string
      >;
      const order = [createTime, startTime, endTime, updateTime, deleteTime, expireTime].filter(
        (one) => one !== undefined,
      );
      expect(order).toEqual(order.toSorted());
      expect(deleteTime !== undefined).toBe(state === "DELETED");
      expect(startTime === undefined).toBe(state === "PENDING");
      expect(endTime === undefined).toBe(state === "PENDING" || state === "RUNNING");
      expect(Date.parse(job["creationTimestamp"] as string)).toBeLessThan(Number(job["updatedAt"]) * 1_000);
      expect(job["deleted"]).toBeUndefined();
    }
  });

  it("ends the waiting of callers, for operations of the contract's own", () => {
    for (const operation of madeUp("Operation", 20)) expect(operation).toMatchObject({ status: "DONE" });
  });

  it("has a name of the enum beside a text of the same name", () => {
    for (const disk of madeUp("Disk", 20)) expect(disk).toEqual({ status: "READY" });
  });
});

describe("what a caller has written", () => {
  it("is returned with what the service sets, and with nothing else that is made up", async () => {
    const call = callsTo(contract);
    const note = await call("Insert", { note: { text: "Tea" }, requestId: "1" });
    expect(Object.keys(note).toSorted()).toEqual(["name", "state", "text"]);
    expect(note["text"]).toBe("Tea");
  });

  it("is made up if nothing was written", async () => {
    const call = callsTo(contract);
    expect(Object.keys(await call("Insert", {}))).toContain("text");
    expect(Object.keys(await call("Repeat", {}))).toContain("text");
    expect(await call("Repeat", { text: "Tea" })).toEqual({ text: "Tea" });
  });
});
