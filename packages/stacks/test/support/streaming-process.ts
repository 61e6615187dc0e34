// A server or a client process of one stack that streams payloads when asked, and says how much memory it had at most.
import { readFileSync } from "node:fs";
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, incompressibleBytes } from "@roundtrip/contract";
import { DownloadRequestSchema, UploadRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { realService } from "@roundtrip/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "../../src/index.ts";

/** What the process is asked to do; it answers with a {@link StreamingAnswer}. */
export type StreamingQuestion =
  | { readonly ask: "serve"; readonly stack: string }
  | { readonly ask: "connect"; readonly stack: string; readonly url: string }
  | {
      readonly ask: "stream";
      readonly method: "Download" | "Upload";
      readonly sizeBytes: number;
      readonly times: number;
    }
  | { readonly ask: "memory" };

export interface StreamingAnswer {
  readonly url: string;
  /** Resident memory now, and the most that there ever was. */
  readonly residentBytes: number;
  readonly mostResidentBytes: number;
}

const contract = builtInContract();
const chunkBytes = 65_536;
let stream: (method: "Download" | "Upload", sizeBytes: number) => Promise<void> = () =>
  Promise.reject(new Error("no client"));
let url = "";

async function serve(stack: string): Promise<void> {
  ({ url } = await (await loadServe(stack))(realService(contract), serveDefaults));
}

async function connect(stack: string, server: string): Promise<void> {
  const client = await (await loadConnect(stack))(contract, { ...connectDefaults, url: server });
  const bytes = incompressibleBytes(4_000_000, 1);
  stream = async (method, sizeBytes) => {
    const invoke = client.prepareStream(contract.operation(`roundtrip.v1.PayloadService.${method}`));
    function* requests(): Generator<Message> {
      if (method === "Download") yield create(DownloadRequestSchema, { sizeBytes });
      else {
        for (let at = 0; at < sizeBytes; at += chunkBytes) {
          yield create(UploadRequestSchema, { data: bytes.subarray(at, Math.min(at + chunkBytes, sizeBytes)) });
        }
      }
    }
    for await (const _ of invoke(requests()));
  };
}

/** Since this program began: `maxRSS` of getrusage(2) would also know what the process was before, a copy of whoever started it. */
function mostResidentBytes(): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(kibibytes) * 1024;
}

async function answer(question: StreamingQuestion): Promise<StreamingAnswer> {
  switch (question.ask) {
    case "serve":
      await serve(question.stack);
      break;
    case "connect":
      await connect(question.stack, question.url);
      break;
    case "stream":
      // oxlint-disable-next-line no-await-in-loop
      for (let time = 0; time < question.times; time += 1) await stream(question.method, question.sizeBytes);
      break;
    case "memory":
      globalThis.gc?.();
  }
  return { url, residentBytes: process.memoryUsage.rss(), mostResidentBytes: mostResidentBytes() };
}

process.on("message", (question: StreamingQuestion) => {
  void answer(question).then((said) => process.send?.(said));
});
process.on("disconnect", () => process.exit(0));
