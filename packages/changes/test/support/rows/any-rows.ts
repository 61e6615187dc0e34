// Changes of types that travel in a google.protobuf.Any: JSON styles have their JSON, gRPC and SOAP their bytes.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Row, Rows } from "./row.ts";

function packed(value: { readonly [name: string]: JsonValue }, type = "N"): { readonly [name: string]: JsonValue } {
  return { d: { "@type": `type.googleapis.com/shop.v1.${type}`, ...value } };
}

/** A contract whose requests and answers have an Any, with declarations of what is in it. */
function inAny(types: string, others: Omit<Row, "contract">): Row {
  const [, syntax = ""] = /^((?:syntax|edition)[^;]*;)/.exec(types) ?? [];
  const any = `message M { ${syntax && "optional"} google.protobuf.Any d = 1; }`;
  return { contract: `${syntax} ${any} ${types.slice(syntax.length)}`, ...others };
}

export const anyRows: Rows = {
  "a field of a message in an Any is renamed": inAny(`message N { string [-n-]{+o+} = 1; }`, {
    both: [[packed({ n: "x" }), packed({ o: "x" })]],
    verdicts: "SBBSBMSSBBSBM",
  }),
  "a field of a message in an Any gets another number": inAny(`message N { string n = [-1-]{+2+}; }`, {
    both: [packed({ n: "x" })],
    verdicts: "BSSBSBSBSSBSB",
  }),
  "a field of a message in an Any is removed": inAny(`message N { string n = 1; [-string o = 2; -]}`, {
    both: [packed({ n: "x" })],
    sent: [[packed({ n: "x", o: "y" }), undefined]],
    verdicts: "MBBMBMSMMMMMM",
  }),
  "a field of a message in an Any gets another type": inAny(`message N { [-int32-]{+string+} n = 1; }`, {
    both: [[packed({ n: 5 }), packed({ n: "5" })]],
    verdicts: "BBBBBBSBBBBBB",
  }),
  "a field of a message in an Any becomes a list": inAny(`message N {{+ repeated+} int32 n = 1; }`, {
    both: [[packed({ n: 5 }), packed({ n: [5] })]],
    received: [[packed({ n: 5 }), packed({ n: [5, 6] })]],
    verdicts: "SBBSBMSBBBBBB",
  }),
  "a field of a message in a message in an Any is renamed": inAny(
    `message N { P p = 1; } message P { string [-n-]{+o+} = 1; }`,
    { both: [[packed({ p: { n: "x" } }), packed({ p: { o: "x" } })]], verdicts: "SBBSBMSSBBSBM" },
  ),
  "a field that a rule requires is added to a message in an Any": inAny(
    `message N { string n = 1; {+string o = 2 [(buf.validate.field).required = true]; +}}`,
    {
      sent: [packed({ n: "x" })],
      received: [[packed({ n: "x" }), packed({ n: "x", o: "y" })]],
      verdicts: "SSSSSSSSSSSBS",
    },
  ),
  "a required field is added to a message in an Any (proto2)": inAny(
    `syntax = "proto2"; message N { optional string n = 1; {+required string o = 2; +}}`,
    {
      sent: [packed({ n: "x" })],
      received: [[packed({ n: "x" }), packed({ n: "x", o: "y" })]],
      verdicts: "BBBBBBSSSSSBS",
    },
  ),
  "a value of an enum in an Any is renamed": inAny(`message N { E e = 1; } enum E { U = 0; [-A-]{+B+} = 1; }`, {
    both: [[packed({ e: "A" }), packed({ e: "B" })]],
    verdicts: "SBBSBMSSBBSBM",
  }),
  "a value of an enum in an Any gets another number": inAny(
    `message N { E e = 1; } enum E { U = 0; A = [-1-]{+2+}; }`,
    { both: [packed({ e: "A" })], verdicts: "BSSBSBSBSSBSB" },
  ),
  "a value of an enum gets another number, in an Any and beside it": {
    contract: `message M { google.protobuf.Any d = 1; E e = 2; } message N { E e = 1; } enum E { U = 0; A = [-1-]{+2+}; }`,
    both: [{ e: "A" }, packed({ e: "A" })],
    verdicts: "BSSBSBSBSSBSB",
  },
  "a message in an Any gets a value in an enum": inAny(`message N { E e = 1; } enum E { U = 0; A = 1; {+B = 2; +}}`, {
    both: [packed({ e: "A" })],
    receivedEdges: [[packed({ e: 2 }), packed({ e: "B" })]],
    verdicts: "SSSSSSSMMMMMM",
  }),
  "a message in an Any is renamed": inAny(`message [-N-]{+O+} { string n = 1; }`, {
    both: [[packed({ n: "x" }), packed({ n: "x" }, "O")]],
    verdicts: "BBBBBBSBBBBBB",
  }),
  "a message in an Any is removed": inAny(`[-message N { string n = 1; } -]message P {}`, {
    sent: [[packed({ n: "x" }), undefined]],
    receivedEdges: [[packed({ n: "x" }), undefined]],
    verdicts: "BBBBBBSMMMMMM",
  }),
  "a message for an Any is added": inAny(`message N { string n = 1; }{+ message P {}+}`, {
    both: [packed({ n: "x" })],
    receivedEdges: [[packed({ n: "x" }), packed({}, "P")]],
    verdicts: "SSSSSSSMMMMMM",
  }),
  "a message that is in no Any is removed": {
    contract: `message M { string n = 1; }[- message N { string n = 1; }-]`,
    both: [{ n: "x" }],
    verdicts: "SSSSSSSSSSSSS",
  },
};
