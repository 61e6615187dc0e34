// The calls that fuzzing starts from: every kind of operation, with a variety of values.
import { fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Contract, Metadata, Operation } from "@roundtrip/contract";

export interface RecordedCall {
  readonly name: string;
  readonly operation: Operation;
  readonly requests: readonly Message[];
  readonly metadata: Metadata;
}

const everything: JsonValue = {
  scalars: {
    doubleValue: 1.5,
    int64Value: "9007199254740993",
    stringValue: "é 😀",
    bytesValue: "AAEC",
    colour: "COLOUR_RED",
  },
  presence: { number: 0, flag: false, text: "" },
  lists: { numbers: [1, -2], texts: ["a", "b"], colours: ["COLOUR_GREEN"], times: ["2026-01-01T00:00:00Z"] },
  maps: { textByText: { a: "b" }, largeNumberByNumber: { 7: "8" }, treeByText: { x: { label: "y" } } },
  wellKnown: {
    time: "1970-01-01T00:00:00.001Z",
    duration: "-1.500s",
    mask: "a,b.c",
    struct: { a: [1, null, "x"] },
    value: [true],
    empty: {},
  },
  wrappers: { int64Value: "5", stringValue: "" },
  choice: { tree: { label: "t" } },
  tree: { label: "r", only: { label: "s" }, branches: [{ label: "1" }, { label: "2" }] },
};

const look: JsonValue = {
  scalars: { int32Value: -5, colour: "COLOUR_INFRA_RED" },
  presence: { text: "a&b=c" },
  wellKnown: { time: "2026-01-01T00:00:00Z" },
  texts: ["x", "y z"],
  largeNumbers: ["1", "2"],
  text: "é",
};

const items: readonly JsonValue[] = [0, 1, 2, 3].map((index) => ({ index, data: "AAEC" }));

export function recordedCalls(contract: Contract): readonly RecordedCall[] {
  const call = (name: string, method: string, requests: readonly JsonValue[], metadata = {}): RecordedCall => {
    const operation = contract.operation(`roundtrip.conformance.v1.ConformanceService.${method}`);
    const { registry } = contract;
    return {
      name,
      operation,
      requests: requests.map((json) => fromJson(operation.input, json, { registry })),
      metadata: new Map(Object.entries(metadata)),
    };
  };
  return [
    call("echo-everything", "Echo", [{ values: everything }]),
    call("echo-nothing", "Echo", [{}]),
    call("echo-tree", "Echo", [{ values: { tree: { only: { only: { only: { label: "deep" } } } } } }]),
    call("echo-metadata", "Echo", [{}], {
      "x-tenant": "blue, green",
      "trace-bin": "AAECAw",
      authorization: "Bearer a",
    }),
    call("look", "Look", [look]),
    call("put-tree", "PutTree", [
      { name: "shelves/1/trees/oak%2F", tree: { label: "oak", branches: [{ label: "leaf" }] }, dryRun: true },
    ]),
    call("download", "Download", [{ count: 3, sizeBytes: 8 }], { "x-tenant": "blue" }),
    call("upload", "Upload", items, { "trace-bin": "AAECAw" }),
    call("upload-nothing", "Upload", []),
    call("converse", "Converse", [{ text: "a" }, {}, { text: "é 😀" }], { "x-tenant": "blue" }),
  ];
}
