// Stubs over sockets: they answer alike over every style, errors and streams included.
import { typedClient, type CallError, type TypedClient } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import { ConformanceService } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { expect, it } from "vitest";
import { startFake } from "../../src/fake/start-fake.ts";
import { parseStubs } from "../../src/stubs/read-stubs.ts";

const contract = conformanceContract();
const stubs = parseStubs(
  `- operation: Look
  when: { text: seven }
  answers:
    - error:
        code: FAILED_PRECONDITION
        message: not yet
        details: { reason: EARLY, domain: example.com, metadata: { wait: "1" }, violations: [{ field: text, description: early }] }
    - response: { request: { text: Ada } }
- operation: Download
  when: { sizeBytes: 9 }
  responses: [{ data: aGVs }, { index: 1, data: bG8= }]
  error: { code: DATA_LOSS, message: the rest is gone }
`,
  "stubs.yaml",
  contract,
);

async function failed(call: Promise<unknown>): Promise<unknown> {
  const { code, message, details } = (await call.then(
    () => ({}),
    (error: unknown) => error,
  )) as Partial<CallError>;
  return { code, message, details };
}

async function downloaded(client: TypedClient<typeof ConformanceService>): Promise<unknown> {
  const chunks: string[] = [];
  const read = async (): Promise<void> => {
    for await (const { data } of client.download({ sizeBytes: 9 })) chunks.push(Buffer.from(data).toString());
  };
  return { failure: await failed(read()), chunks };
}

it("answer alike over every style, each session with its own sequence", async () => {
  await using fake = await startFake(contract, { stubs });
  const outcomes = [];
  for (const style of ["memory", ...Object.keys(fake.urls)]) {
    // oxlint-disable-next-line no-await-in-loop -- in a session of its own, one after the other
    const client = await fake.session(style).connect(style);
    const service = typedClient(ConformanceService, client);
    // oxlint-disable-next-line no-await-in-loop
    const first = await failed(service.look({ text: "seven" }));
    // oxlint-disable-next-line no-await-in-loop
    const { request } = await service.look({ text: "seven" });
    // oxlint-disable-next-line no-await-in-loop
    outcomes.push({ first, second: request?.text, download: await downloaded(service) });
  }
  const none = { reason: "", domain: "", metadata: {}, violations: [] };
  const violations = [{ field: "text", description: "early", reason: "" }];
  const expected = {
    first: {
      code: "FAILED_PRECONDITION",
      message: "not yet",
      details: { reason: "EARLY", domain: "example.com", metadata: { wait: "1" }, violations },
    },
    second: "Ada",
    download: { failure: { code: "DATA_LOSS", message: "the rest is gone", details: none }, chunks: ["hel", "lo"] },
  };
  expect(outcomes).toEqual([expected, expected, expected, expected]);
});
