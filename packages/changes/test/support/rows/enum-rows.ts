// Changes of enums: their values, second names, and whether they are open.
import type { Rows } from "./row.ts";

export const enumRows: Rows = {
  "an enum gets a value": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; A = 1; {+B = 2; +}}`,
    both: [{ a: "A" }],
    receivedEdges: [[{ a: 2 }, { a: "B" }]],
    verdicts: "SSSSSSSMMMMMM",
  },
  "an enum loses a value": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; A = 1; [-B = 2; -]}`,
    both: [{ a: "A" }],
    sent: [[{ a: "B" }, undefined]],
    verdicts: "MBBBBMBSSSSSS",
  },
  "a value is renamed": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; [-A-]{+B+} = 1; }`,
    both: [[{ a: "A" }, { a: "B" }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a value gets another number": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; A = 1; B = [-2-]{+3+}; }`,
    both: [{ a: "A" }, { a: "B" }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "two values swap their numbers": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; A = [-1; B = 2-]{+2; B = 1+}; }`,
    both: [{ a: "A" }, { a: "B" }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "two values are declared in another order": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; [-A = 1; B = 2-]{+B = 2; A = 1+}; }`,
    both: [{ a: "A" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a number gets a second name after the first": {
    contract: `message M { E a = 1; string kept = 2; } enum E { [-U = 0; A-]{+option allow_alias = true; U = 0; A = 1; B+} = 1; }`,
    both: [{ a: "A" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "a number gets a second name before the first": {
    contract: `message M { E a = 1; string kept = 2; } enum E { [-U = 0-]{+option allow_alias = true; U = 0; B = 1+}; A = 1; }`,
    both: [{ a: "A" }],
    verdicts: "SSSSBSSSBBBBM",
  },
  "a number loses its second name": {
    contract: `message M { E a = 1; string kept = 2; } enum E { option allow_alias = true; U = 0; A = 1; [-B = 1; -]C = 1; }`,
    both: [{ a: "A" }],
    verdicts: "SMMMSMMSSSMSM",
  },
  "a number loses its first name": {
    contract: `message M { E a = 1; string kept = 2; } enum E { option allow_alias = true; U = 0; [-B = 1; -]A = 1; C = 1; }`,
    both: [[{ a: "B" }, { a: "A" }]],
    verdicts: "SBBBBMBSBBMBM",
  },
  "two names of a number swap": {
    contract: `message M { E a = 1; string kept = 2; } enum E { option allow_alias = true; U = 0; [-A = 1; B-]{+B = 1; A+} = 1; }`,
    both: [{ a: "A" }],
    verdicts: "SSSSBSSSBBMBM",
  },
  "a value becomes a second name of another": {
    contract: `message M { E a = 1; string kept = 2; } enum E { {+option allow_alias = true; +}U = 0; A = 1; B = [-2-]{+1+}; }`,
    both: [{ a: "A" }],
    received: [{ a: "B" }],
    sentEdges: [[{ a: "B" }, undefined]],
    verdicts: "BMMMBBMBBBBBB",
  },
  "an enum is closed": {
    contract: `edition = "2023"; message M { E a = 1; string kept = 2; } enum E { {+option features.enum_type = CLOSED; +}U = 0; A = 1; }`,
    both: [{ a: "A" }],
    sent: [{ a: 7 }],
    verdicts: "BBBSSBBSSSSSS",
  },
  "an enum is opened": {
    contract: `edition = "2023"; message M { E a = 1; string kept = 2; } enum E { [-option features.enum_type = CLOSED; -]U = 0; A = 1; }`,
    both: [{ a: "A" }],
    receivedEdges: [{ a: 7 }],
    verdicts: "SSSSSSSMMMMMM",
  },
  "a file's enums are closed": {
    contract: `edition = "2023"{+; option features.enum_type = CLOSED+}; message M { E a = 1; string kept = 2; } enum E { U = 0; A = 1; }`,
    both: [{ a: "A" }],
    sent: [{ a: 7 }],
    verdicts: "BBBSSBBSSSSSS",
  },
  "the default of a closed enum is another value (proto2)": {
    contract: `syntax = "proto2"; message M { optional E a = 1; } enum E { [-A = 1; B = 2-]{+B = 2; A = 1+}; }`,
    both: [{ a: "A" }],
    edges: [[{}, undefined]],
    verdicts: "MMMMMMMMMMMMM",
  },
  "an enum is renamed": {
    contract: `message M { [-E a = 1; } enum E-]{+F a = 1; } enum F+} { U = 0; A = 1; }`,
    both: [{ a: "A" }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "values get another enum's prefix": {
    contract: `message M { E a = 1; } enum E { [-E_U = 0; E_A-]{+U = 0; A+} = 1; }`,
    both: [[{ a: "E_A" }, { a: "A" }]],
    verdicts: "SBBBSMBSBBBSM",
  },
  "an enum loses a value, its number and name reserved": {
    contract: `message M { E a = 1; string kept = 2; } enum E { {+reserved 2; reserved "B"; +}U = 0; A = 1; [-B = 2; -]}`,
    both: [{ a: "A" }],
    sent: [[{ a: "B" }, undefined]],
    verdicts: "MBBBBMBSSSSSS",
  },
  "a closed enum gets a value": {
    contract: `edition = "2023"; message M { E a = 1; string kept = 2; } enum E { option features.enum_type = CLOSED; U = 0; A = 1; {+B = 2; +}}`,
    both: [{ a: "A" }],
    receivedEdges: [[{ a: "U" }, { a: "B" }]],
    verdicts: "SSSSSSSMMMMMM",
  },
  "a closed enum loses a value": {
    contract: `edition = "2023"; message M { E a = 1; string kept = 2; } enum E { option features.enum_type = CLOSED; U = 0; A = 1; [-B = 2; -]}`,
    both: [{ a: "A" }],
    sent: [[{ a: "B" }, undefined]],
    verdicts: "MBBBBMBSSSSSS",
  },
  "a value is replaced by another of its number": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; A = 1; [-B = 2-]{+C = 2; D = 3+}; }`,
    both: [{ a: "A" }, [{ a: "B" }, { a: "C" }]],
    verdicts: "SBBBBMBMBBBBM",
  },
  "two values swap their names": {
    contract: `message M { E a = 1; string kept = 2; } enum E { U = 0; [-A = 1; B-]{+B = 1; A+} = 2; }`,
    both: [{ a: "A" }, { a: "B" }],
    verdicts: "BSSSSBSBSSSSB",
  },
  "the zero of an enum is renamed": {
    contract: `message M { optional E a = 1; string kept = 2; } enum E { [-U-]{+V+} = 0; A = 1; }`,
    both: [{ a: "A" }, [{ a: "U" }, { a: "V" }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "a value becomes deprecated": {
    contract: `message M { E a = 1; } enum E { U = 0; A = 1{+ [deprecated = true]+}; }`,
    both: [{ a: "A" }],
    verdicts: "SSSSSSSSSSSSS",
  },
  "an enum moves into a message": {
    contract: `message M { E a = 1;[- }-] enum E { U = 0; A = 1; }{+ }+}`,
    both: [{ a: "A" }],
    verdicts: "SSSSBSSSSSSMS",
  },
  "an enum becomes another with other values": {
    contract: `message M { [-E-]{+X.F+} a = 1; string kept = 2; } enum E { U = 0; A = 1; } message X { enum F { V = 0; B = 1; } }`,
    both: [[{ a: "A" }, { a: "B" }]],
    verdicts: "SBBBBMBSBBBBM",
  },
  "proto2 becomes proto3": {
    contract: `syntax = "[-proto2"; message M { optional E a = 1; optional-]{+proto3"; message M { E a = 1;+} int32 b = 2; } enum E { U = 0; A = 1; }`,
    both: [{ a: "A", b: 5 }],
    edges: [[{ b: 0 }, undefined]],
    receivedEdges: [{ a: 7 }],
    verdicts: "MMMMMMMMMMMMM",
  },
  "proto3 becomes proto2": {
    contract: `syntax = "[-proto3"; message M { E a = 1;-]{+proto2"; message M { optional E a = 1; optional+} int32 b = 2; } enum E { U = 0; A = 1; }`,
    both: [{ a: "A", b: 5 }],
    received: [{}],
    sent: [{ a: 7 }],
    verdicts: "BBBSSBBSSSSBS",
  },
};
