// Edge cases of metadata: names as other clients send them, and the largest allowed size.
import { create } from "@bufbuild/protobuf";
import { ConformanceService, EchoRequestSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { maxMetadataBytes } from "@roundtrip/contract";
import { oddHeaders } from "@roundtrip/styles";
import { casesIn, needing } from "../../case/case.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";
import { listening, noting } from "../../support/noting.ts";

const { echo } = ConformanceService.method;
const needs = ["server", "metadata"] as const;

/** One name and value of this counted size. */
function ofBytes(bytes: number): [name: string, value: string] {
  const name = "x-large";
  return [name, "x".repeat(bytes - name.length - 32)];
}

/** The cases RT-1017 to RT-1020. */
export const metadataEdgeCases = casesIn("metadata", [...needs, "misuse"], {
  async "RT-1017 a name that a caller sends several times is one value, joined in order"(run) {
    const { misuse, came } = await noting(run);
    await misuse("repeatedHeader", echo, create(EchoRequestSchema, {}));
    const { name, values } = oddHeaders.repeated;
    expectEqual(came[0]?.get(name), values.join(", "), name);
  },
  async "RT-1018 a handler reads an upper-case name in lower case, with its value unchanged"(run) {
    const { misuse, came } = await noting(run);
    await misuse("upperCaseHeader", echo, create(EchoRequestSchema, {}));
    const { name, values } = oddHeaders.upperCase;
    expectEqual([came[0]?.get(name.toLowerCase()), came[0]?.has(name)], [values[0], false], name);
  },
  "RT-1019 metadata exactly at the limit arrives in both directions": needing(needs, async (run) => {
    const { call, came } = await noting(run, ({ answerMetadata }) => answerMetadata.set(...ofBytes(maxMetadataBytes)));
    const { received, onMetadata } = listening();
    const [name, value] = ofBytes(maxMetadataBytes);
    await call(echo, {}, { metadata: new Map([[name, value]]), onMetadata });
    expectEqual(came[0]?.get(name)?.length, value.length, "of the request");
    expectEqual(received[0]?.get(name)?.length, value.length, "of the answer");
  }),
  "RT-1020 metadata one byte above the limit is RESOURCE_EXHAUSTED from a caller, INTERNAL from a handler; the next call succeeds":
    needing(needs, async (run) => {
      const tooLarge = ofBytes(maxMetadataBytes + 1);
      const { call, came } = await noting(run, ({ metadata, answerMetadata }) => {
        if (metadata.has("x-answer-too-large")) answerMetadata.set(...tooLarge);
      });
      await expectError(call(echo, {}, { metadata: new Map([tooLarge]) }), "RESOURCE_EXHAUSTED");
      expectEqual(came.length, 0, "handlers run");
      await expectError(call(echo, {}, { metadata: new Map([["x-answer-too-large", "yes"]]) }), "INTERNAL");
      await call(echo, {});
    }),
});
