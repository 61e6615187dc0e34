// Made-up values that others contradict: counts of lists, times before a creation, lengths of hashes.
import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { ServerCall } from "@roundtrip/contract";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
import { generatedService } from "../../src/generated/generated-service.ts";
import { callsTo } from "../support/calls-to.ts";

const contract = compileContract(`
syntax = "proto3";
package acme.v1;
import "google/api/field_behavior.proto";
import "google/protobuf/timestamp.proto";
service Files {
  rpc GetFile(GetFileRequest) returns (File);
  rpc CreateFile(CreateFileRequest) returns (File);
}
message File {
  string id = 1;
  repeated string lines = 2;
  int32 line_count = 3 [(google.api.field_behavior) = OUTPUT_ONLY];
  int64 num_parts = 4;
  repeated string parts = 5;
  google.protobuf.Timestamp create_time = 6 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp scan_time = 7 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp expire_time = 8 [(google.api.field_behavior) = OUTPUT_ONLY];
  google.protobuf.Timestamp birth_time = 9 [(google.api.field_behavior) = OUTPUT_ONLY];
  string md5 = 10;
  string sha1_digest = 11;
  string sha256 = 12;
  string content_sha512 = 13;
  string checksum_crc32 = 14;
  double rating = 15;
}
message GetFileRequest { string id = 1; }
message CreateFileRequest { File file = 1; }
`);

it.each([1, 2, 3, 4, 5])("agree with each other, with seed %i", async (seed) => {
  const call = callsTo(contract, seed);
  const { id } = await call("CreateFile", { file: { lines: ["a", "b", "c"] } });
  for (const file of [
    await call("GetFile", { id: id ?? "" }),
    await call("GetFile", { id: "file-1" }).catch(() => ({})),
  ]) {
    if (Object.keys(file).length === 0) continue;
    const { createTime, scanTime, expireTime, birthTime } = file as Readonly<Record<string, string>>;
    expect(String(scanTime) >= String(createTime), `${scanTime} is not before ${createTime}`).toBe(true);
    expect(String(birthTime) < String(createTime)).toBe(true);
    expect(Date.parse(String(expireTime))).toBeGreaterThan(Date.now());
  }
  const { lines, lineCount } = (await call("GetFile", { id: id ?? "" })) as { lines: string[]; lineCount: number };
  expect(lineCount).toBe(lines.length);
});

it.each([
  ["md5", 32],
  ["sha1Digest", 40],
  ["sha256", 64],
  ["contentSha512", 128],
  ["checksumCrc32", 8],
])("has a hash of the right length: %s", async (name, length) => {
  const madeUp = compileContract(`
syntax = "proto3";
package acme.v1;
service Scans { rpc Scan(Empty) returns (Result); }
message Empty {}
message Result { string md5 = 10; string sha1_digest = 11; string sha256 = 12; string content_sha512 = 13; string checksum_crc32 = 14;
  bytes data_sha512 = 15; bytes digest = 16;
  int32 item_count = 1; repeated string items = 2; int64 num_parts = 3; map<string, string> parts = 4; double rating = 5; }
`);
  const result: JsonObject = await callsTo(madeUp)("Scan");
  expect(result[name]).toMatch(new RegExp(`^[0-9a-f]{${length}}$`));
  expect(Buffer.from(result["dataSha512"] as string, "base64")).toHaveLength(64);
  expect(Buffer.from(result["digest"] as string, "base64")).toHaveLength(16);
  const { items = [], itemCount = 0, parts = {}, numParts = "0", rating } = result;
  expect(itemCount).toBe((items as string[]).length);
  expect(numParts).toBe(String(Object.keys(parts as object).length));
  expect(rating).toSatisfy((value: number) => value >= 1 && value <= 5);
});

const streams = compileContract(`
syntax = "proto3";
package acme.v1;
import "google/protobuf/timestamp.proto";
service Jobs {
  rpc GetJob(JobRequest) returns (Job);
  rpc CreateJob(CreateJobRequest) returns (Job);
  rpc WatchJob(JobRequest) returns (stream JobEvent);
  rpc WatchJobs(WatchJobsRequest) returns (stream JobEvent);
  rpc Tail(TailRequest) returns (stream Line);
}
message Job { string id = 1; string title = 2; google.protobuf.Timestamp create_time = 3; }
message JobEvent { google.protobuf.Timestamp event_time = 1; Job job = 2; }
message Line { google.protobuf.Timestamp time = 1; string text = 2; }
message JobRequest { string id = 1; }
message CreateJobRequest { Job job = 1; }
message WatchJobsRequest {}
message TailRequest { string name = 1; }
`);

interface Event {
  readonly time: string;
  readonly eventTime: string;
  readonly job: { readonly createTime: string };
}

it.each([1, 2, 3])("has the events of a stream in the order of their times, with seed %i", async (seed) => {
  const service = generatedService(streams, seed);
  const { id = "" } = await callsTo(streams, seed, service)("CreateJob", { job: { title: "Build" } });
  const events = async (method: string, request: JsonObject): Promise<readonly Event[]> => {
    const operation = streams.operation(`acme.v1.Jobs.${method}`);
    const requests = Readable.from([fromJson(operation.input, request)]);
    const all = await Array.fromAsync(service.stream(operation, requests, new ServerCall()));
    return all.map((event) => toJson(operation.output, event) as unknown as Event);
  };
  const lines = (await events("Tail", { name: "log" })).map(({ time }) => time);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines).toEqual(lines.toSorted());
  for (const request of [{ id: "job-1" }, { id }, undefined]) {
    const seen = request ? await events("WatchJob", request) : await events("WatchJobs", {});
    const times = seen.map(({ eventTime }) => eventTime);
    expect(times).toEqual(times.toSorted());
    expect(seen.filter(({ eventTime, job }) => eventTime < job.createTime)).toEqual([]);
    expect(Date.parse(times.at(-1) ?? "")).toBeLessThan(Date.now());
  }
});
