// Changes of validation rules.
import type { Rows } from "./row.ts";

export const ruleRows: Rows = {
  "a field is required by its behavior": {
    contract: "message M { string a = 1{+ [(google.api.field_behavior) = REQUIRED]+}; string kept = 2; }",
    both: [{ a: "x" }],
    sent: [{ kept: "y" }],
    verdicts: "BBBBBBBSSSSSS",
  },
  "a field is required by its behavior no longer": {
    contract: "message M { string a = 1[- [(google.api.field_behavior) = REQUIRED]-]; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field is for answers only": {
    contract: "message M { string a = 1{+ [(google.api.field_behavior) = OUTPUT_ONLY]+}; }",
    both: [{ a: "x" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a field is for requests only": {
    contract: "message M { string a = 1{+ [(google.api.field_behavior) = INPUT_ONLY]+}; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSMMMMMM",
  },
  "a field is immutable": {
    contract: "message M { string a = 1{+ [(google.api.field_behavior) = IMMUTABLE]+}; }",
    both: [{ a: "x" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "numbers above a limit become those from it on": {
    contract: "message M { int32 a = 1 [(buf.validate.field).int32.[-gt = 1-]{+gte = 2+}]; }",
    both: [{ a: 2 }, { a: 5 }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "numbers below a limit become those below a lower one": {
    contract: "message M { int32 a = 1 [(buf.validate.field).int32.[-lt = 9-]{+lte = 7+}]; }",
    both: [{ a: 2 }],
    sentEdges: [{ a: 8 }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule gets tighter": {
    contract: "message M { string a = 1 [(buf.validate.field).string.max_len = [-9-]{+3+}]; }",
    both: [{ a: "x" }],
    sentEdges: [{ a: "long" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule gets wider": {
    contract: "message M { string a = 1 [(buf.validate.field).string.max_len = [-3-]{+9+}]; }",
    both: [{ a: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a rule of the message is added": {
    contract: `message M { {+option (buf.validate.message).cel = { id: "m" message: "m" expression: "this.a < 9" }; +}int32 a = 1; }`,
    both: [{ a: 5 }],
    sentEdges: [{ a: 10 }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule goes": {
    contract: "message M { string a = 1[- [(buf.validate.field).string.min_len = 2]-]; }",
    both: [{ a: "xx" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a field is required by a rule": {
    contract: "message M { string a = 1{+ [(buf.validate.field).required = true]+}; string kept = 2; }",
    both: [{ a: "x" }],
    sent: [{ kept: "y" }],
    verdicts: "BBBBBBBSSSSSS",
  },
  "a oneof is required by a rule": {
    contract:
      "message M { oneof o { {+option (buf.validate.oneof).required = true; +}string a = 1; string b = 2; } string kept = 3; }",
    both: [{ a: "x" }],
    sentEdges: [{ kept: "y" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule has other values": {
    contract: `message M { string a = 1 [(buf.validate.field).string = { in: ["x"[-, "y"-]] }]; }`,
    both: [{ a: "x" }],
    sentEdges: [{ a: "y" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule has another pattern": {
    contract: `message M { string a = 1 [(buf.validate.field).string.pattern = "^[a-[-z-]{+f+}]+$"]; }`,
    both: [{ a: "a" }],
    sentEdges: [{ a: "x" }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a list is limited": {
    contract: "message M { repeated string a = 1{+ [(buf.validate.field).repeated.max_items = 2]+}; }",
    both: [{ a: ["x"] }],
    sentEdges: [{ a: ["x", "y", "z"] }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "the elements of a list are limited": {
    contract: "message M { repeated string a = 1{+ [(buf.validate.field).repeated.items.string.max_len = 2]+}; }",
    both: [{ a: ["x"] }],
    sentEdges: [{ a: ["long"] }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "a rule is an expression": {
    contract: `message M { int32 a = 1{+ [(buf.validate.field).cel = { id: "m" message: "m" expression: "this < 9" }]+}; }`,
    both: [{ a: 5 }],
    sentEdges: [{ a: 10 }],
    verdicts: "MMMMMMMSSSSSS",
  },
  "an enum has to have a name": {
    contract: "message M { E a = 1{+ [(buf.validate.field).enum.defined_only = true]+}; } enum E { U = 0; A = 1; }",
    both: [{ a: "A" }],
    sentEdges: [{ a: 7 }],
    verdicts: "MMMMMMMSSSSSS",
  },
};
