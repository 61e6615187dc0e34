// What JSON would change without a word is refused, wherever in a message it stands.
import { create } from "@bufbuild/protobuf";
import { AnySchema, FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { CallError } from "@roundtrip/contract";
import {
  EchoRequestSchema,
  EchoResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { expect, test } from "vitest";
import { messageToJson } from "../../styles/src/shared/proto-json/message-to-json.ts";
import { pairOf } from "./support/pair.ts";
import { restStack } from "./support/stacks-under-test.ts";
import { conformanceService, operationNamed } from "./support/streams.ts";

const maskToJson = messageToJson(FieldMaskSchema);
const anyToJson = messageToJson(AnySchema);

test.each([[["a,b"]], [[""]], [["a", ""]], [["a", "b,"]]])("a field mask of %j is not written", (paths) => {
  expect(() => maskToJson(create(FieldMaskSchema, { paths }))).toThrow("field mask");
});

test("other masks are, none and several paths", () => {
  expect(maskToJson(create(FieldMaskSchema, { paths: ["a_b", "c"] }))).toBe("aB,c");
  expect(maskToJson(create(FieldMaskSchema))).toBe("");
});

test("bytes of no type are not written, and an Any without both is", () => {
  expect(() => anyToJson(create(AnySchema, { value: new Uint8Array(1) }))).toThrow("no type");
  expect(anyToJson(create(AnySchema))).toEqual({});
});

const service = conformanceService({
  echo: ({ values }) => create(EchoResponseSchema, values === undefined ? {} : { values }),
});
const mask = { paths: ["a,b"] };
const any = { value: new Uint8Array([1]) };

test.each([
  ["grpc-js", "OK", "OK"],
  [restStack, "INVALID_ARGUMENT", "INVALID_ARGUMENT"],
  // Its masks are lists of paths.
  ["graphql-apollo", "OK", "INVALID_ARGUMENT"],
])("%s: either all of it arrives or nothing (a mask: %s, bytes of no type: %s)", async (stackName, ofMask, ofAny) => {
  const { client } = await pairOf(stackName, service);
  const echo = client.prepare(operationNamed("Echo"));
  const outcome = async (wellKnown: { readonly mask: typeof mask } | { readonly any: typeof any }): Promise<string> => {
    const request = create(EchoRequestSchema, { values: { wellKnown } });
    try {
      expect(await echo(request)).toMatchObject({ values: { wellKnown } });
      return "OK";
    } catch (thrown) {
      return CallError.from(thrown).code;
    }
  };
  expect([await outcome({ mask }), await outcome({ any })]).toEqual([ofMask, ofAny]);
});
