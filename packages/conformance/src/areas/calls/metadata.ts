// Metadata of requests and answers.
import { CallError, binaryMetadata, type Metadata, type Handlers } from "@roundtrip/contract";
import { ConformanceService } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { casesIn } from "../../case/case.ts";
import { expect, expectEqual, expectError } from "../../case/expectations.ts";
import { listening, noting } from "../../support/noting.ts";

const { echo } = ConformanceService.method;
const needs = ["server", "metadata"] as const;
const allBytes = Uint8Array.from({ length: 256 }, (_, index) => index);

/** The metadata with these names. */
function named(metadata: Metadata | undefined, names: Iterable<string>): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries([...names].map((name) => [name, metadata?.get(name)]));
}

function answering(entries: Readonly<Record<string, string>>): Handlers {
  return noting(({ answerMetadata }) => {
    for (const [name, value] of Object.entries(entries)) answerMetadata.set(name, value);
  }).handlers;
}

const plain = { "x-tenant": "blue", "trace.id_1-a": "00-4bf92f-01", authorization: "Bearer abc.def==" };

/** The cases RT-1001 to RT-1016. */
export const metadataCases = casesIn("metadata", [
  {
    id: "RT-1001",
    level: "MUST",
    title: "metadata of a request reaches its handler",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      await call(echo, {}, { metadata: new Map(Object.entries(plain)) });
      expectEqual(named(came[0], Object.keys(plain)), plain, "metadata");
    },
  },
  {
    id: "RT-1002",
    level: "MUST",
    title: "a handler sees names in lower case only",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      await call(echo, {}, { metadata: new Map(Object.entries(plain)), timeoutMs: 4_000 });
      expectEqual(came[0]?.get("x-tenant"), plain["x-tenant"], "x-tenant");
      for (const name of came[0]?.keys() ?? []) expectEqual(name, name.toLowerCase(), "name");
    },
  },
  {
    id: "RT-1003",
    level: "MUST",
    title: "a name that some style does not support is INVALID_ARGUMENT, and nothing is sent",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      for (const name of ["X-Tenant", "x tenant", "ü", "", "a:b", "x\r\ny"]) {
        // oxlint-disable-next-line no-await-in-loop
        await expectError(call(echo, {}, { metadata: new Map([[name, "v"]]) }), "INVALID_ARGUMENT");
      }
      expectEqual(came.length, 0, "handlers run");
    },
  },
  {
    id: "RT-1004",
    level: "MUST",
    title: "a reserved name is INVALID_ARGUMENT, and nothing is sent",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      for (const name of ["content-type", "content-length", "host", "te", "grpc-timeout", ":path", "connection"]) {
        // oxlint-disable-next-line no-await-in-loop
        await expectError(call(echo, {}, { metadata: new Map([[name, "v"]]) }), "INVALID_ARGUMENT");
      }
      expectEqual(came.length, 0, "handlers run");
    },
  },
  {
    id: "RT-1005",
    level: "MUST",
    title: "a value is INVALID_ARGUMENT if it has line ends, characters outside ASCII, or spaces at its ends",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      for (const value of ["a\r\nx-admin: yes", "a\nb", "\u0000", "é", "𝔘", " a", "a ", "\u007f"]) {
        // oxlint-disable-next-line no-await-in-loop
        await expectError(call(echo, {}, { metadata: new Map([["x-tenant", value]]) }), "INVALID_ARGUMENT");
      }
      await expectError(call(echo, {}, { metadata: new Map([["x-bin", "not base64!"]]) }), "INVALID_ARGUMENT");
      expectEqual(came.length, 0, "handlers run");
    },
  },
  {
    id: "RT-1006",
    level: "MUST",
    title: "values keep commas, quotes and every other printable character",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      const printable = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => index + 0x21));
      const values = { "x-list": "a, b,c", "x-quoted": `"a" 'b'; c=d`, "x-all": printable, "x-dotted": "%20+&" };
      await call(echo, {}, { metadata: new Map(Object.entries(values)) });
      expectEqual(named(came[0], Object.keys(values)), values, "metadata");
    },
  },
  {
    id: "RT-1007",
    level: "MUST",
    title: "binary metadata of a request keeps each of the 256 bytes",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      await call(echo, {}, { metadata: new Map([["x-trace-bin", binaryMetadata.encode(allBytes)]]) });
      expectEqual(binaryMetadata.decode(came[0]?.get("x-trace-bin") ?? ""), allBytes, "bytes");
    },
  },
  {
    id: "RT-1008",
    level: "MUST",
    title: "metadata of one call is not in the next call",
    needs,
    async run(run) {
      const { handlers, came } = noting();
      const { call } = await run.serveConformance(handlers);
      await call(echo, {}, { metadata: new Map([["x-tenant", "blue"]]) });
      await call(echo, {});
      expectEqual(
        came.map((metadata) => metadata.get("x-tenant")),
        ["blue", undefined],
        "x-tenant",
      );
    },
  },
  {
    id: "RT-1009",
    level: "MUST",
    title: "metadata of four kilobytes arrives in both directions",
    needs,
    async run(run) {
      const value = "x".repeat(4_000);
      const { handlers, came } = noting(({ answerMetadata }) => answerMetadata.set("x-large", value));
      const { call } = await run.serveConformance(handlers);
      const { received, onMetadata } = listening();
      await call(echo, {}, { metadata: new Map([["x-large", value]]), onMetadata });
      expectEqual(came[0]?.get("x-large"), value, "of the request");
      expectEqual(received[0]?.get("x-large"), value, "of the answer");
    },
  },
  {
    id: "RT-1011",
    level: "MUST",
    title: "the caller receives the metadata of an answer once, and nothing else",
    needs,
    async run(run) {
      const sent = { "x-request-id": "42", "x-list": "a, b" };
      const { call } = await run.serveConformance(answering(sent));
      const { received, onMetadata } = listening();
      await call(echo, {}, { onMetadata });
      expectEqual(
        received.map((metadata) => Object.fromEntries(metadata)),
        [sent],
        "heard",
      );
    },
  },
  {
    id: "RT-1012",
    level: "MUST",
    title: "the caller receives empty metadata for an answer without any",
    needs,
    async run(run) {
      const { call } = await run.serveConformance(noting().handlers);
      const { received, onMetadata } = listening();
      await call(echo, {}, { onMetadata });
      expectEqual(
        received.map((metadata) => Object.fromEntries(metadata)),
        [{}],
        "heard",
      );
    },
  },
  {
    id: "RT-1013",
    level: "MUST",
    title: "the caller receives the metadata of an error once, with its code and details",
    needs,
    async run(run) {
      const { handlers } = noting(({ answerMetadata }) => {
        answerMetadata.set("x-request-id", "42");
        answerMetadata.set("x-trace-bin", binaryMetadata.encode(allBytes));
        throw new CallError("ABORTED", "try again", { reason: "BUSY" });
      });
      const { call } = await run.serveConformance(handlers);
      const { received, onMetadata } = listening();
      const { details } = await expectError(call(echo, {}, { onMetadata }), "ABORTED");
      expectEqual(details.reason, "BUSY", "reason");
      expectEqual(
        received.map((metadata) => metadata.get("x-request-id")),
        ["42"],
        "heard",
      );
      expectEqual(binaryMetadata.decode(received[0]?.get("x-trace-bin") ?? ""), allBytes, "bytes");
    },
  },
  {
    id: "RT-1014",
    level: "MUST",
    title: "binary metadata of an answer keeps each of the 256 bytes",
    needs,
    async run(run) {
      const { call } = await run.serveConformance(answering({ "x-trace-bin": binaryMetadata.encode(allBytes) }));
      const { received, onMetadata } = listening();
      await call(echo, {}, { onMetadata });
      expectEqual(binaryMetadata.decode(received[0]?.get("x-trace-bin") ?? ""), allBytes, "bytes");
    },
  },
  {
    id: "RT-1015",
    level: "MUST",
    title: "an answer with a reserved name or an invalid value is INTERNAL; the next call succeeds",
    needs,
    async run(run) {
      const wrong = [
        ["content-length", "1"],
        ["grpc-status", "0"],
        ["x-tenant", "a\r\nx-admin: yes"],
        ["X-Tenant", "a"],
      ];
      const remaining = [...wrong];
      const { handlers } = noting(({ answerMetadata }) => {
        const [name, value] = remaining.shift() ?? [];
        if (name !== undefined && value !== undefined) answerMetadata.set(name, value);
      });
      const { call } = await run.serveConformance(handlers);
      for (const _ of wrong) {
        // oxlint-disable-next-line no-await-in-loop
        await expectError(call(echo, {}), "INTERNAL");
      }
      await call(echo, {});
    },
  },
  {
    id: "RT-1016",
    level: "MUST",
    title: "concurrent calls each receive the metadata of their own answer",
    needs,
    async run(run) {
      const { handlers } = noting(({ metadata, answerMetadata }) => {
        answerMetadata.set("x-number", metadata.get("x-number") ?? "none");
      });
      const { call } = await run.serveConformance(handlers, { connections: 5 });
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
  },
]);
