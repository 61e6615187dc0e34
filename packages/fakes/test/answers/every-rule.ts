// A contract with the rules of buf.validate in the combinations that contracts use; each-rule.test.ts has each rule alone.
export const everyRule = `
edition = "2023";
package test.v1;

import "buf/validate/validate.proto";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";

service Rules {
  rpc Numbers(Nothing) returns (NumberRules);
  rpc Texts(Nothing) returns (TextRules);
  rpc OtherTexts(Nothing) returns (TextRules);
  rpc Others(Nothing) returns (OtherRules);
  rpc Collections(Nothing) returns (CollectionRules);
  rpc Groups(Nothing) returns (GroupRules);
  rpc Expressions(Nothing) returns (ExpressionRules);
  rpc Echo(Loose) returns (Tight);
  rpc Endless(Nothing) returns (Twice);
  rpc Find(Place) returns (Found);
}

message Twice {
  Twice left = 1 [(buf.validate.field).required = true];
  Twice right = 2 [(buf.validate.field).required = true];
}

message Place { int32 x = 1; int32 y = 2; }
message Found { string what = 1; Place where = 2; }

message Nothing { string about = 1; }

message NumberRules {
  int64 int_in = 2 [(buf.validate.field).int64 = {in: [5, 9007199254740993]}];
  uint32 not_in = 3 [(buf.validate.field).uint32 = {lte: 2, not_in: [0, 1]}];
  uint64 large = 4 [(buf.validate.field).uint64.gt = 18446744073709551000];
  sint32 negative = 5 [(buf.validate.field).sint32 = {gte: -30, lt: -20}];
  sint64 outside = 6 [(buf.validate.field).sint64 = {gt: 100, lt: -100}];
  fixed32 fixed = 7 [(buf.validate.field).fixed32 = {gte: 7, lte: 7}];
  sfixed64 required = 10 [(buf.validate.field).required = true];
  float unit = 11 [(buf.validate.field).float = {gt: 0, lt: 1, finite: true}];
  double fraction = 12 [(buf.validate.field).double = {gte: 0.25, lte: 0.26}];
  double outside_fraction = 13 [(buf.validate.field).double = {gt: 10, lte: -10}];
  float float_in = 15 [(buf.validate.field).float = {in: [0.5, 0.25]}];
  int32 age = 17 [(buf.validate.field).int32 = {gte: 200, lte: 210}];
  google.protobuf.Int32Value wrapped = 19 [(buf.validate.field).int32 = {gt: 5, lt: 7}];
  int32 implicit_required = 20 [features.field_presence = IMPLICIT, (buf.validate.field).required = true];
}

message TextRules {
  string lengths = 3 [(buf.validate.field).string = {min_len: 30, max_len: 31}];
  string bytes_long = 4 [(buf.validate.field).string = {min_bytes: 3, max_bytes: 4}];
  string pattern = 5 [(buf.validate.field).string.pattern = "^[a-z]{2,4}-\\\\d+(?:\\\\.[A-F]|x)*$"];
  string loose_pattern = 6 [(buf.validate.field).string = {pattern: "[0-9]", min_len: 10}];
  string long_pattern = 7 [(buf.validate.field).string = {pattern: "^[a-z]+$", min_len: 40, max_len: 60}];
  string folded = 8 [(buf.validate.field).string.pattern = "(?i)^(?P<kind>yes|no)[[:digit:]]?\\\\z"];
  string prefix = 9 [(buf.validate.field).string = {prefix: "books/", suffix: "/end", contains: "middle", max_len: 20}];
  string not_contains = 10 [(buf.validate.field).string = {not_contains: "a", max_len: 3}];
  string text_in = 11 [(buf.validate.field).string = {in: ["one", "two"], not_in: ["one"]}];
  string required = 34 [features.field_presence = IMPLICIT, (buf.validate.field).required = true];
  string empty = 35 [(buf.validate.field).string.max_len = 0];
  google.protobuf.StringValue wrapped = 37 [(buf.validate.field).string.pattern = "^w{3}$"];
  string short_email = 38 [(buf.validate.field).string = {email: true, max_len: 60}];
  string unicode = 39 [(buf.validate.field).string.pattern = "^\\\\p{Greek}{3}$"];
}

enum Colour { COLOUR_UNSPECIFIED = 0; RED = 1; GREEN = 2; }

message OtherRules {
  bytes data = 2 [(buf.validate.field).bytes = {min_len: 40, max_len: 50}];
  bytes parts = 3 [(buf.validate.field).bytes = {prefix: "\\x01", contains: "mid", suffix: "\\xff", max_len: 8}];
  bytes pattern = 7 [(buf.validate.field).bytes.pattern = "^[a-z]{4}$"];
  Colour colour_not = 10 [(buf.validate.field).enum = {not_in: [0, 1]}];
  google.protobuf.Timestamp within = 14 [(buf.validate.field).timestamp.within = {seconds: 3600}];
  google.protobuf.Timestamp after = 15 [(buf.validate.field).timestamp = {gte: {seconds: 4000000000}, lt: {seconds: 4000000001}}];
  google.protobuf.Timestamp early = 16 [(buf.validate.field).timestamp.lte = {seconds: -3000000000}];
  google.protobuf.Timestamp recent = 17 [(buf.validate.field).timestamp = {lt_now: true, within: {seconds: 60}}];
  google.protobuf.Duration short = 18 [(buf.validate.field).duration = {gt: {}, lt: {nanos: 1000}}];
  google.protobuf.Duration negative = 20 [(buf.validate.field).duration.lt = {seconds: -5, nanos: -5}];
  google.protobuf.Duration among = 21 [(buf.validate.field).duration = {in: [{seconds: 3}, {seconds: 4}], not_in: [{seconds: 3}]}];
  google.protobuf.FieldMask not_mask = 23 [(buf.validate.field).field_mask = {not_in: ["name"]}];
  google.protobuf.Any not_any = 25 [(buf.validate.field).any = {not_in: ["type.googleapis.com/test.v1.Nothing"]}];
  google.protobuf.Any free_any = 26;
  google.protobuf.Struct struct = 27 [(buf.validate.field).required = true];
  google.protobuf.Value value = 28 [(buf.validate.field).required = true];
  google.protobuf.ListValue list = 29;
}

message CollectionRules {
  repeated string few = 1 [(buf.validate.field).repeated = {min_items: 5, max_items: 6, unique: true}];
  repeated int32 unique_small = 2 [(buf.validate.field).repeated = {min_items: 3, unique: true, items: {int32: {gte: 1, lte: 3}}}];
  repeated string items = 3 [(buf.validate.field).repeated = {items: {string: {uuid: true}}}];
  repeated Nothing none = 4 [(buf.validate.field).repeated.max_items = 0];
  repeated Inner required = 5 [(buf.validate.field).required = true];
  map<string, int32> pairs = 6 [(buf.validate.field).map = {min_pairs: 4, max_pairs: 4, keys: {string: {len: 3}}, values: {int32: {gt: 0}}}];
  map<int32, Inner> messages = 7 [(buf.validate.field).map = {min_pairs: 1, keys: {int32: {in: [3, 4]}}}];
  repeated Colour colours = 8 [(buf.validate.field).repeated = {min_items: 2, items: {enum: {defined_only: true, not_in: [0]}}}];
}

message Inner {
  string code = 1 [(buf.validate.field).string.pattern = "^[A-Z]{3}$"];
  Inner next = 2;
}

message GroupRules {
  option (buf.validate.message).oneof = {fields: ["left", "right"], required: true};
  string left = 1;
  string right = 2;
  oneof choice {
    option (buf.validate.oneof).required = true;
    Inner inner = 3;
    int32 number = 4 [(buf.validate.field).int32.gt = 9];
  }
  Deep deep = 5 [(buf.validate.field).required = true];
  string ignored = 6 [(buf.validate.field) = {ignore: IGNORE_ALWAYS, string: {len: 3}}];
  string if_set = 7 [(buf.validate.field) = {ignore: IGNORE_IF_ZERO_VALUE, string: {len: 3}}];
}

message Deep {
  Deep one = 1;
  repeated Deep many = 2;
  map<string, Deep> named = 3;
  Required leaf = 4 [(buf.validate.field).required = true];
}

message Required {
  int32 must = 1 [features.field_presence = LEGACY_REQUIRED];
}

message ExpressionRules {
  option (buf.validate.message).cel = {id: "order", message: "low is below high", expression: "this.low < this.high"};
  int32 low = 1;
  int32 high = 2;
  int32 even = 3 [(buf.validate.field).cel = {id: "even", message: "is even", expression: "this % 2 == 0"}];
}

message Loose { string code = 1; int32 number = 2; string kept = 3; }

message Tight {
  string code = 1 [(buf.validate.field).string.pattern = "^[A-Z]{3}$"];
  int32 number = 2 [(buf.validate.field).int32.gt = 0];
  string kept = 3;
  string more = 4;
}
`;
