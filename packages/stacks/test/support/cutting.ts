// Services that have connections cut: before an answer, in its middle, and in the middle of a stream.
import { create, type Message } from "@bufbuild/protobuf";
import { ConnectionCut, type Service } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { helloService } from "./pair.ts";
import { conformanceService, item, operationNamed } from "./streams.ts";

/** Names that {@link cutting} has the connection cut for. */
export const cutNames = ["drop", "drop later", "truncate", "truncate later"];

function answer(message: string): Message {
  return create(SayHelloResponseSchema, { message });
}

/** Greets, but for "drop" and "truncate", at once or, with "later" in the name, after a turn of the event loop. */
export function cutting(long = ""): { readonly service: Service; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const answerTo = (name: string): string => {
    if (name.startsWith("drop")) throw new ConnectionCut();
    if (name.startsWith("truncate")) throw new ConnectionCut(answer(`Hello, ${name}!${long}`));
    return `Hello, ${name}!`;
  };
  const service = helloService(({ name }) => {
    asked.push(name);
    return name.endsWith("later") ? new Promise(setImmediate).then(() => answerTo(name)) : answerTo(name);
  });
  return { service, asked };
}

/** Sends so many items of so many bytes, then has the connection cut in the middle of another, or without one. */
export function streamingService(kind: "drop" | "truncate"): Service {
  return conformanceService({
    async *download({ count, sizeBytes }) {
      const data = new Uint8Array(sizeBytes).fill(7);
      for (let index = 0; index < count; index += 1) {
        await new Promise(setImmediate);
        yield item({ index, data });
      }
      throw kind === "drop" ? new ConnectionCut() : new ConnectionCut(item({ index: count, data }));
    },
    upload: async (requests) => {
      await Array.fromAsync(requests);
      throw kind === "drop" ? new ConnectionCut() : new ConnectionCut(create(operationNamed("Upload").output));
    },
  });
}
