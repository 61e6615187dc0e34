// A contract with what ours has not: nested, repeated, wrapper and well-known fields, 64-bit integers, paths of several segments.
import { compileContract } from "./compile-contract.ts";

/** Service `library.v1.Library`; every operation answers the request's echo. */
export const library = compileContract(`
syntax = "proto3";
package library.v1;
import "google/api/annotations.proto";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

service Library {
  rpc Find(Everything) returns (Everything) { option (google.api.http) = {get: "/v1/things/{text}"}; }
  rpc Put(Everything) returns (Everything) { option (google.api.http) = {put: "/v1/things/{nested.number}" body: "*"}; }
  rpc Move(Nested) returns (Nested) { option (google.api.http) = {put: "/v1/moves/{some_text=*}" body: "*"}; }
  rpc Change(Envelope) returns (Everything) { option (google.api.http) = {patch: "/v1/{name=shelves/*/books/*}/{thing.text}:change" body: "thing"}; }
  rpc Read(Envelope) returns (Envelope) { option (google.api.http) = {get: "/v1/files/{name=**}" response_body: "things"}; }
  rpc Tag(Envelope) returns (google.protobuf.Empty) { option (google.api.http) = {post: "/v1/tags" body: "labels"}; }
  rpc Watch(Envelope) returns (stream Everything) { option (google.api.http) = {get: "/v1/watch"}; }
  rpc Bare(Everything) returns (Everything);
}

enum Colour {
  COLOUR_UNSPECIFIED = 0;
  COLOUR_RED = 1;
  COLOUR_GREEN = 2;
}

message Nested {
  int32 number = 1;
  string some_text = 2;
  repeated Colour colours = 3;
  Nested deeper = 4;
}

message Everything {
  string text = 1;
  int64 big = 2;
  uint64 unsigned_big = 3;
  bool flag = 4;
  double real = 5;
  float small_real = 6;
  bytes data = 7;
  Colour colour = 8;
  optional int32 maybe = 9;
  repeated string words = 10;
  repeated int64 numbers = 11;
  Nested nested = 12;
  google.protobuf.StringValue wrapped_text = 13;
  google.protobuf.Int64Value wrapped_big = 14;
  google.protobuf.BoolValue wrapped_flag = 15;
  google.protobuf.Timestamp at = 16;
  google.protobuf.Duration lasts = 17;
  google.protobuf.FieldMask mask = 18;
  oneof choice {
    string this_one = 19;
    sint32 that_one = 20;
  }
  repeated google.protobuf.Timestamp times = 21;
}

message Envelope {
  string name = 1;
  Everything thing = 2;
  repeated Everything things = 3;
  map<string, int32> labels = 4;
  google.protobuf.Struct free = 5;
  google.protobuf.Any anything = 6;
}
`);
