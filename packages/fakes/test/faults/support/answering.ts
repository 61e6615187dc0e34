// A service with known answers for tests of interceptors, calls to it without a transport, and fault plans of one rule around it.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, CallError, ServerCall, only, type Service } from "@roundtrip/contract";
import { handlersOf } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import {
  HelloService,
  SayHelloRequestSchema,
  SayHelloResponseSchema,
  type SayHelloResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import {
  DownloadRequestSchema,
  DownloadResponseSchema,
  EchoResponseSchema,
  PayloadService,
  UploadRequestSchema,
  UploadResponseSchema,
  type DownloadResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/payload_pb";
import { faulting } from "../../../src/faults/faulting.ts";
import type { Delay, Fault, FaultPlan } from "../../../src/faults/fault-schema.ts";

export const contract = builtInContract();
export const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const download = contract.operation("roundtrip.v1.PayloadService.Download");
const upload = contract.operation("roundtrip.v1.PayloadService.Upload");

/** Greets, fails for the name "nobody", echoes, sends chunks of one byte each, and counts uploaded bytes. */
export const answering: Service = serviceOf(
  contract,
  new Map([
    ...handlersOf(HelloService, {
      sayHello({ name }) {
        if (name === "nobody") throw new CallError("NOT_FOUND", "nobody is there");
        return create(SayHelloResponseSchema, { message: `Hello, ${name}!` });
      },
    }),
    ...handlersOf(PayloadService, {
      echo: ({ text, data }) => create(EchoResponseSchema, { text, data }),
      // oxlint-disable-next-line require-await
      async *download({ sizeBytes }) {
        for (let index = 0; index < sizeBytes; index += 1) {
          yield create(DownloadResponseSchema, { data: Uint8Array.of(index) });
        }
      },
      async upload(requests) {
        let sizeBytes = 0;
        for await (const { data } of requests) sizeBytes += data.length;
        return create(UploadResponseSchema, { sizeBytes });
      },
    }),
  ]),
);

/** The greeting, or the error. */
export async function greetingOf(service: Service, name: string, call = new ServerCall()): Promise<string> {
  const answer = await service.call(sayHello, create(SayHelloRequestSchema, { name }), call);
  return (answer as SayHelloResponse).message;
}

/** The outcome of a call: its text, or the code of its error. */
export function outcomeOf(answer: Promise<string>): Promise<string> {
  return answer.catch((thrown: unknown) => CallError.from(thrown).code);
}

/** The chunks of a download as numbers. */
export async function* chunksOf(service: Service, sizeBytes: number, call = new ServerCall()): AsyncGenerator<number> {
  const request = create(DownloadRequestSchema, { sizeBytes });
  for await (const answer of service.stream(download, only(request), call)) {
    yield (answer as DownloadResponse).data[0] ?? -1;
  }
}

/** The answers to an upload of these bytes, each in its own message. */
export function uploaded(service: Service, bytes: readonly number[], call = new ServerCall()): AsyncIterable<Message> {
  // oxlint-disable-next-line require-await
  async function* requests(): AsyncGenerator<Message> {
    for (const byte of bytes) yield create(UploadRequestSchema, { data: Uint8Array.of(byte) });
  }
  return service.stream(upload, requests(), call);
}

export const unavailable = { error: { code: "UNAVAILABLE", message: "try again" } } as const satisfies Fault;

export function always(fault: Fault, operation = "*"): FaultPlan {
  return { faults: [{ operation, ...fault }] };
}

export function slowBy(delay: Delay, operation = "*"): FaultPlan {
  return { latencies: [{ operation, ...delay }] };
}

export function faulty(plan: FaultPlan, seed = 1): Service {
  return faulting(contract, plan, seed)(answering);
}
