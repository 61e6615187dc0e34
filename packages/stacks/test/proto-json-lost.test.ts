// What JSON would change without a word is refused, wherever in a message it stands.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import {
  EchoRequestSchema,
  EchoResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { expect, test } from "vitest";
import { pairOf, restStack } from "./support/pair.ts";
import { conformanceService, operationNamed } from "./support/streams.ts";

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
