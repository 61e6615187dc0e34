// Metadata of requests and answers.
import { binaryMetadata, type CallContext, CallError, maxMetadataBytes, type Metadata } from "@roundtrip/contract";
import { create } from "@bufbuild/protobuf";
import { oddHeaders } from "@roundtrip/styles";
import { ConformanceService, EchoRequestSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual, expectError, inTurn } from "../../case/expectations.ts";
import { listening, noting } from "../../support/handlers.ts";

const { echo } = ConformanceService.method;
const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index);

function named(metadata: Metadata | undefined, names: Iterable<string>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries([...names].map((name) => [name, metadata?.get(name)]));
}

function answering(entries: Readonly<Record<string, string>>): (call: CallContext) => void {
  return ({ answerMetadata }) => {
    for (const [name, value] of Object.entries(entries)) answerMetadata.set(name, value);
  };
}

const plain = {
  "x-tenant": "blue",
  "trace.id_1-a": "00-4bf92f-01",
  authorization: "Bearer abc.def==",
  constructor: "a name of JavaScript",
};

/** The cases RT-1001 to RT-1016. */
export const metadataCases = casesIn("metadata", ["server", "metadata"], {
  async "RT-1001 metadata of a request reaches its handler"(run) {
    const { call, came } = await noting(run);
    await call(echo, {}, { metadata: new Map(Object.entries(plain)) });
    expectEqual(named(came[0], Object.keys(plain)), plain, "metadata");
  },
  async "RT-1002 a handler sees names in lower case only"(run) {
    const { call, came } = await noting(run);
    await call(echo, {}, { metadata: new Map(Object.entries(plain)), timeoutMs: 30_000 });
    expectEqual(came[0]?.get("x-tenant"), plain["x-tenant"], "x-tenant");
    for (const name of came[0]?.keys() ?? []) expectEqual(name, name.toLowerCase(), "name");
  },
  async "RT-1003 a name that some style does not support is INVALID_ARGUMENT, and nothing is sent"(run) {
    const { call, came } = await noting(run);
    await inTurn(["X-Tenant", "x tenant", "ü", "", "a:b", "x\r\ny"], (name) =>
      expectError(call(echo, {}, { metadata: new Map([[name, "v"]]) }), "INVALID_ARGUMENT"),
    );
    expectEqual(came.length, 0, "handlers run");
  },
  async "RT-1004 a reserved name is INVALID_ARGUMENT, and nothing is sent"(run) {
    const { call, came } = await noting(run);
    await inTurn(["content-type", "content-length", "host", "te", "grpc-timeout", ":path", "connection"], (name) =>
      expectError(call(echo, {}, { metadata: new Map([[name, "v"]]) }), "INVALID_ARGUMENT"),
    );
    expectEqual(came.length, 0, "handlers run");
  },
  async "RT-1005 a value is INVALID_ARGUMENT if it has line ends, characters outside ASCII, or spaces at its ends"(
    run,
  ) {
    const { call, came } = await noting(run);
    await inTurn(["a\r\nx-admin: yes", "a\nb", "\u0000", "é", "𝔘", " a", "a ", "\u007f"], (value) =>
      expectError(call(echo, {}, { metadata: new Map([["x-tenant", value]]) }), "INVALID_ARGUMENT"),
    );
    await expectError(call(echo, {}, { metadata: new Map([["x-bin", "not base64!"]]) }), "INVALID_ARGUMENT");
    expectEqual(came.length, 0, "handlers run");
  },
  async "RT-1006 values keep commas, quotes and every other printable character"(run) {
    const { call, came } = await noting(run);
    const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => index + 0x21));
    const values = { "x-list": "a, b,c", "x-quoted": `"a" 'b'; c=d`, "x-all": printable, "x-dotted": "%20+&" };
    await call(echo, {}, { metadata: new Map(Object.entries(values)) });
    expectEqual(named(came[0], Object.keys(values)), values, "metadata");
  },
  async "RT-1007 binary metadata of a request keeps each of the 256 bytes"(run) {
    const { call, came } = await noting(run);
    await call(echo, {}, { metadata: new Map([["x-trace-bin", binaryMetadata.encode(allBytes)]]) });
    expectEqual(binaryMetadata.decode(came[0]?.get("x-trace-bin") ?? ""), allBytes, "bytes");
  },
  async "RT-1008 metadata of one call is not in the next call"(run) {
    const { call, came } = await noting(run);
    await call(echo, {}, { metadata: new Map([["x-tenant", "blue"]]) });
    await call(echo, {});
    const seen = came.map((metadata) => metadata.get("x-tenant"));
    expectEqual(seen, ["blue", undefined], "x-tenant");
  },
  async "RT-1009 metadata of four kilobytes arrives in both directions"(run) {
    const value = "x".repeat(4_000);
    const { call, came } = await noting(run, ({ answerMetadata }) => answerMetadata.set("x-large", value));
    const { received, onMetadata } = listening();
    await call(echo, {}, { metadata: new Map([["x-large", value]]), onMetadata });
    expectEqual(came[0]?.get("x-large"), value, "of the request");
    expectEqual(received[0]?.get("x-large"), value, "of the answer");
  },
  async "RT-1011 the caller receives the metadata of an answer once, and nothing else"(run) {
    const sent = { "x-request-id": "42", "x-list": "a, b", constructor: "a name of JavaScript" };
    const { call } = await noting(run, answering(sent));
    const { received, onMetadata } = listening();
    await call(echo, {}, { onMetadata });
    const given = received.map((metadata) => Object.fromEntries(metadata));
    expectEqual(given, [sent], "heard");
  },
  async "RT-1012 the caller receives empty metadata for an answer without any"(run) {
    const { call } = await noting(run);
    const { received, onMetadata } = listening();
    await call(echo, {}, { onMetadata });
    const given = received.map((metadata) => Object.fromEntries(metadata));
    expectEqual(given, [{}], "heard");
  },
  async "RT-1013 the caller receives the metadata of an error once, with its code and details"(run) {
    const { call } = await noting(run, ({ answerMetadata }) => {
      answerMetadata.set("x-request-id", "42");
      answerMetadata.set("x-trace-bin", binaryMetadata.encode(allBytes));
      throw new CallError("ABORTED", "try again", { reason: "BUSY" });
    });
    const { received, onMetadata } = listening();
    const { details } = await expectError(call(echo, {}, { onMetadata }), "ABORTED");
    expectEqual(details.reason, "BUSY", "reason");
    const given = received.map((metadata) => metadata.get("x-request-id"));
    expectEqual(given, ["42"], "heard");
    expectEqual(binaryMetadata.decode(received[0]?.get("x-trace-bin") ?? ""), allBytes, "bytes");
  },
  async "RT-1014 binary metadata of an answer keeps each of the 256 bytes"(run) {
    const { call } = await noting(run, answering({ "x-trace-bin": binaryMetadata.encode(allBytes) }));
    const { received, onMetadata } = listening();
    await call(echo, {}, { onMetadata });
    expectEqual(binaryMetadata.decode(received[0]?.get("x-trace-bin") ?? ""), allBytes, "bytes");
  },
  async "RT-1015 an answer with a reserved name or an invalid value is INTERNAL; the next call succeeds"(run) {
    const wrong = [
      ["content-length", "1"],
      ["grpc-status", "0"],
      ["x-tenant", "a\r\nx-admin: yes"],
      ["X-Tenant", "a"],
    ];
    const remaining = [...wrong];
    const { call } = await noting(run, ({ answerMetadata }) => {
      const [name, value] = remaining.shift() ?? [];
      if (name !== undefined && value !== undefined) answerMetadata.set(name, value);
    });
    await inTurn(wrong, () => expectError(call(echo, {}), "INTERNAL"));
    await call(echo, {});
  },
  async "RT-1016 concurrent calls each receive the metadata of their own answer"(run) {
    const { call } = await noting(
      run,
      ({ metadata, answerMetadata }) => {
        answerMetadata.set("x-number", metadata.get("x-number") ?? "none");
      },
      { connections: 5 },
    );
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    const received = await Promise.all(
      numbers.map(async (number) => {
        const { received: mine, onMetadata } = listening();
        await call(echo, {}, { metadata: new Map([["x-number", number]]), onMetadata });
        return mine[0]?.get("x-number");
      }),
    );
    expectEqual(received, numbers, "numbers");
    expect(received.length === 50, "fifty calls");
  },
});

// Edge cases of metadata: names as other clients send them, and the largest allowed size.

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
