// A contract of oneofs: scalars, messages, empty ones, two members of one type, a message that holds itself, and names that others want.
import { compileContract } from "./compile-contract.ts";

/** Service `drawings.v1.Drawings`. */
export const drawings = compileContract(`
  syntax = "proto3";
  package drawings.v1;
  import "buf/validate/validate.proto";
  import "google/protobuf/empty.proto";
  import "google/protobuf/field_mask.proto";
  import "google/protobuf/struct.proto";
  import "google/protobuf/wrappers.proto";
  service Drawings {
    rpc Draw(DrawRequest) returns (Drawing);
    rpc FindDrawing(Search) returns (Search) { option idempotency_level = NO_SIDE_EFFECTS; }
    rpc GetDrawing(GetDrawingRequest) returns (Drawing) { option idempotency_level = NO_SIDE_EFFECTS; }
    rpc WatchDrawing(Search) returns (stream Drawing) { option idempotency_level = NO_SIDE_EFFECTS; }
  }
  message DrawRequest { Drawing drawing = 1; }
  message GetDrawingRequest { int32 id = 1; google.protobuf.FieldMask read_mask = 2; }
  // What to look for: by_what there is.
  message Search { oneof by_what { int32 id = 1; string owner_name = 2; } optional bool old = 3; }
  enum Colour { COLOUR_UNSPECIFIED = 0; COLOUR_RED = 1; }
  // A drawing.
  message Drawing {
    int32 id = 1;
    // What there is to see.
    oneof kind {
      // Perfectly round.
      Circle circle = 2;
      Circle hole = 3;
      string label = 4;
      Colour colour = 5;
      google.protobuf.Value anything = 6;
      google.protobuf.Empty blank = 7;
      google.protobuf.StringValue wrapped = 8;
      Drawing framed = 9;
    }
    oneof only { bytes data = 10; }
    message KindLabel { oneof id { int32 ID = 1; } }
    repeated KindLabel labels = 11;
    repeated Awkward awkward = 13;
    message Only { int32 n = 1; }
    map<string, Only> only_by_name = 12;
  }
  message Awkward {
    string pay = 1 [json_name = "payBy"];
    oneof pay_by { string card = 2; }
    oneof to_string { string text = 3; }
    oneof __typename { string name = 4; }
  }
  message Circle {
    int32 radius = 1 [(buf.validate.field).int32 = {gte: 0}];
    int32 line_width = 2;
  }
`);
