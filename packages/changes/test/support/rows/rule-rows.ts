// Changes of validation rules.
import type { Rows } from "./row.ts";

export const ruleRows: Rows = {
  "a field is required by its behavior": {
    before: "message M { string a = 1; string kept = 2; }",
    after: "message M { string a = 1 [(google.api.field_behavior) = REQUIRED]; string kept = 2; }",
    both: [{ a: "x" }],
    sent: [{ kept: "y" }],
    verdicts: "BBBBBBBSSSSSS",
  },
  "a field is required by its behavior no longer": {
    before: "message M { string a = 1 [(google.api.field_behavior) = REQUIRED]; }",
    after: "message M { string a = 1; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field is for answers only": {
    before: "message M { string a = 1; }",
    after: "message M { string a = 1 [(google.api.field_behavior) = OUTPUT_ONLY]; }",
    both: [{ a: "x" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a field is for requests only": {
    before: "message M { string a = 1; }",
    after: "message M { string a = 1 [(google.api.field_behavior) = INPUT_ONLY]; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSMMMMMM",
  },
  "a field is immutable": {
    before: "message M { string a = 1; }",
    after: "message M { string a = 1 [(google.api.field_behavior) = IMMUTABLE]; }",
    both: [{ a: "x" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "numbers above a limit become those from it on": {
    before: "message M { int32 a = 1 [(buf.validate.field).int32.gt = 1]; }",
    after: "message M { int32 a = 1 [(buf.validate.field).int32.gte = 2]; }",
    both: [{ a: 2 }, { a: 5 }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "numbers below a limit become those below a lower one": {
    before: "message M { int32 a = 1 [(buf.validate.field).int32.lt = 9]; }",
    after: "message M { int32 a = 1 [(buf.validate.field).int32.lte = 7]; }",
    both: [{ a: 2 }],
    sentEdges: [{ a: 8 }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule gets tighter": {
    before: "message M { string a = 1 [(buf.validate.field).string.max_len = 9]; }",
    after: "message M { string a = 1 [(buf.validate.field).string.max_len = 3]; }",
    both: [{ a: "x" }],
    sentEdges: [{ a: "long" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule gets wider": {
    before: "message M { string a = 1 [(buf.validate.field).string.max_len = 3]; }",
    after: "message M { string a = 1 [(buf.validate.field).string.max_len = 9]; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a rule of the message is added": {
    before: "message M { int32 a = 1; }",
    after:
      'message M { option (buf.validate.message).cel = { id: "m" message: "m" expression: "this.a < 9" }; int32 a = 1; }',
    both: [{ a: 5 }],
    sentEdges: [{ a: 10 }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule goes": {
    before: "message M { string a = 1 [(buf.validate.field).string.min_len = 2]; }",
    after: "message M { string a = 1; }",
    both: [{ a: "xx" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field is required by a rule": {
    before: "message M { string a = 1; string kept = 2; }",
    after: "message M { string a = 1 [(buf.validate.field).required = true]; string kept = 2; }",
    both: [{ a: "x" }],
    sent: [{ kept: "y" }],
    verdicts: "BBBBBBBSSSSSS",
  },
  "a oneof is required by a rule": {
    before: "message M { oneof o { string a = 1; string b = 2; } string kept = 3; }",
    after:
      "message M { oneof o { option (buf.validate.oneof).required = true; string a = 1; string b = 2; } string kept = 3; }",
    both: [{ a: "x" }],
    sentEdges: [{ kept: "y" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule has other values": {
    before: 'message M { string a = 1 [(buf.validate.field).string = { in: ["x", "y"] }]; }',
    after: 'message M { string a = 1 [(buf.validate.field).string = { in: ["x"] }]; }',
    both: [{ a: "x" }],
    sentEdges: [{ a: "y" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule has another pattern": {
    before: 'message M { string a = 1 [(buf.validate.field).string.pattern = "^[a-z]+$"]; }',
    after: 'message M { string a = 1 [(buf.validate.field).string.pattern = "^[a-f]+$"]; }',
    both: [{ a: "a" }],
    sentEdges: [{ a: "x" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a list is limited": {
    before: "message M { repeated string a = 1; }",
    after: "message M { repeated string a = 1 [(buf.validate.field).repeated.max_items = 2]; }",
    both: [{ a: ["x"] }],
    sentEdges: [{ a: ["x", "y", "z"] }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "the elements of a list are limited": {
    before: "message M { repeated string a = 1; }",
    after: "message M { repeated string a = 1 [(buf.validate.field).repeated.items.string.max_len = 2]; }",
    both: [{ a: ["x"] }],
    sentEdges: [{ a: ["long"] }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule is an expression": {
    before: "message M { int32 a = 1; }",
    after: 'message M { int32 a = 1 [(buf.validate.field).cel = { id: "m" message: "m" expression: "this < 9" }]; }',
    both: [{ a: 5 }],
    sentEdges: [{ a: 10 }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "an enum has to have a name": {
    before: "message M { E a = 1; } enum E { U = 0; A = 1; }",
    after: "message M { E a = 1 [(buf.validate.field).enum.defined_only = true]; } enum E { U = 0; A = 1; }",
    both: [{ a: "A" }],
    sentEdges: [{ a: 7 }],
    verdicts: "MMMMMMMSSSSSS",
  },
};
