// Made-up values that others contradict: counts of lists, times before a creation, lengths of hashes.
import { type JsonObject } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { compileContract } from "../../../stacks/test/support/compile-contract.ts";
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
