// Streams of requests, alone or with a stream of responses: each side receives the other's messages and their end.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ConformanceService,
  ConverseResponseSchema,
  UploadResponseSchema,
  type UploadRequestSchema,
} from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { CallError } from "@roundtrip/contract";
import { servingSome } from "../../support/handlers.ts";
import type { CaseServer } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations, expectExpired } from "../../case/expectations.ts";
import { itemBytes, streamingHandlers, untilError } from "../../support/streams.ts";

const { converse, upload } = ConformanceService.method;

type Items = Iterable<MessageInitShape<typeof UploadRequestSchema>>;

function items(count: number, sizeBytes: number): Items {
  return Array.from({ length: count }, (_, index) => ({ index, data: itemBytes(index, sizeBytes) }));
}

/** The answer to a stream of requests: three values in the order of their fields. */
async function uploaded({ stream }: CaseServer, requests: Items): Promise<readonly unknown[]> {
  const answers = await Array.fromAsync(stream(upload, requests));
  return answers.flatMap(({ count, sizeBytes, inOrder }) => [count, sizeBytes, inOrder]);
}

/** A stream with one request that does not end. */
async function* neverEnding<T>(first: T): AsyncGenerator<T> {
  yield first;
  await new Promise(() => {});
}

/** Sends each text when the one before is answered. */
async function conversation({ stream }: CaseServer, texts: readonly string[]): Promise<readonly string[]> {
  const answers: string[] = [];
  let answered = Promise.withResolvers<void>();
  async function* requests(): AsyncGenerator<{ text: string }> {
    for (const text of texts) {
      answered = Promise.withResolvers<void>();
      yield { text };
      await answered.promise;
    }
  }
  for await (const { text } of stream(converse, requests())) {
    answers.push(text);
    answered.resolve();
  }
  return answers;
}

/** The cases RT-1130 to RT-1149. */
export const requestStreamCases = casesIn("streaming", ["server", "clientStream"], {
  async "RT-1130 requests of a stream arrive complete and in order, and are answered once"(run) {
    const server = await run.serveConformance(streamingHandlers);
    expectEqual(await uploaded(server, items(500, 10)), [500, 5_000n, true], "answer");
    expectEqual(await uploaded(server, items(1, 0)), [1, 0n, true], "answer to one");
  },
  async "RT-1131 a stream without requests is answered"(run) {
    const server = await run.serveConformance(streamingHandlers);
    expectEqual(await uploaded(server, []), [0, 0n, true], "answer");
  },
  async "RT-1132 the size limit applies to each request of a stream, not to their sum"(run) {
    const server = await run.serveConformance(streamingHandlers, { maxRequestBytes: 64 * 1024 });
    expectEqual(await uploaded(server, items(10, 32 * 1024)), [10, 327_680n, true], "answer");
    await expectError(uploaded(server, items(1, 128 * 1024)), "RESOURCE_EXHAUSTED");
  },
  async "RT-1133 a request in the middle of a stream that breaks a rule fails the call and names the field"(run) {
    const server = await run.serveConformance(streamingHandlers);
    const requests = [{ index: 0 }, { index: -1 }, { index: 2 }];
    await expectViolations(uploaded(server, requests), [{ field: "index", reason: "int32.gte" }]);
  },
  async "RT-1134 a handler may answer before the last request"(run) {
    const server = await servingSome(run, {
      async upload(requests) {
        for await (const { index } of requests) if (index === 1) break;
        return create(UploadResponseSchema, { count: 2 });
      },
    });
    expectEqual(await uploaded(server, items(50, 10)), [2, 0n, false], "answer");
  },
  async "RT-1135 a handler may fail before the last request"(run) {
    const server = await servingSome(run, {
      async upload(requests) {
        for await (const { index } of requests) {
          if (index === 1) throw new CallError("ABORTED", "enough", { reason: "ENOUGH" });
        }
        return create(UploadResponseSchema, {});
      },
    });
    const { details } = await expectError(uploaded(server, items(50, 10)), "ABORTED");
    expectEqual(details.reason, "ENOUGH", "reason");
  },
  async "RT-1136 a deadline ends an endless stream of requests on both sides"(run) {
    const aborted = Promise.withResolvers<void>();
    let hasBegun = false;
    const { stream } = await servingSome(run, {
      upload(_requests, { signal }) {
        hasBegun = true;
        signal.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => {});
      },
    });
    await expectExpired(
      (timeoutMs) => Array.fromAsync(stream(upload, neverEnding({ index: 0 }), { timeoutMs })),
      () => hasBegun,
    );
    await aborted.promise;
  },
});

/** The cases RT-1150 to RT-1159. */
export const conversationCases = casesIn("streaming", ["server", "bidiStream"], {
  async "RT-1150 in a bidirectional stream each request is answered before the next one is sent"(run) {
    const texts = Array.from({ length: 20 }, (_, index) => String(index));
    const answers = await conversation(await run.serveConformance(streamingHandlers), texts);
    expectEqual(
      answers,
      texts.map((text) => `heard ${text}`),
      "answers",
    );
  },
  async "RT-1151 a bidirectional stream without requests ends"(run) {
    expectEqual(await conversation(await run.serveConformance(streamingHandlers), []), [], "answers");
  },
  async "RT-1152 a handler sees the end of the requests, and can answer after it"(run) {
    const { stream } = await servingSome(run, {
      async *converse(requests) {
        const texts = (await Array.fromAsync(requests)).map(({ text }) => text);
        yield create(ConverseResponseSchema, { text: texts.join(" ") });
      },
    });
    const answers = await Array.fromAsync(stream(converse, [{ text: "a" }, { text: "b" }]));
    const texts = answers.map(({ text }) => text);
    expectEqual(texts, ["a b"], "answers");
  },
  async "RT-1153 an error in a bidirectional stream follows the answers before it"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    const { items: answers, error } = await untilError(
      stream(converse, [{ text: "a" }, { text: "fail" }, { text: "b" }]),
    );
    const texts = answers.map(({ text }) => text);
    expectEqual(texts, ["heard a"], "answers");
    const { details } = await expectError(error, "FAILED_PRECONDITION");
    expectEqual(details.reason, "ASKED", "reason");
  },
  async "RT-1154 a caller that leaves a bidirectional stream ends it for the handler"(run) {
    const aborted = Promise.withResolvers<void>();
    const { stream } = await servingSome(run, {
      async *converse(texts) {
        try {
          for await (const { text } of texts) yield create(ConverseResponseSchema, { text });
        } finally {
          aborted.resolve();
        }
      },
    });
    for await (const { text } of stream(converse, neverEnding({ text: "hello" }))) {
      expect(text === "hello", `heard ${text}`);
      break;
    }
    await aborted.promise;
  },
  async "RT-1155 a handler that ends a bidirectional stream ends it for its caller"(run) {
    const { stream } = await servingSome(run, {
      async *converse(texts) {
        for await (const { text } of texts) {
          yield create(ConverseResponseSchema, { text });
          return;
        }
      },
    });
    const answers = await Array.fromAsync(stream(converse, neverEnding({ text: "hello" })));
    const texts = answers.map(({ text }) => text);
    expectEqual(texts, ["hello"], "answers");
  },
});
