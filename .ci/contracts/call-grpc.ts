// gRPC by the library grpc-js and the contract's own descriptors.
import { fromBinary, fromJson, toBinary, type Message } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, status, type ClientReadableStream, type ServiceError } from "@grpc/grpc-js";
import type { Contract, Operation } from "../../packages/contract/src/index.ts";
import { longestCallMs, normal, refused, sessionHeader, type CallExample, type RequestOf } from "./called.ts";

export interface GrpcCaller extends Disposable {
  readonly call: CallExample;
}

function streamed(
  client: Client,
  operation: Operation,
  request: Message,
  metadata: Metadata,
): Promise<readonly Message[]> {
  const { input, output, kind, method } = operation;
  const path = `/${method.parent.typeName}/${method.name}`;
  const write = (message: Message): Buffer => Buffer.from(toBinary(input, message));
  const read = (bytes: Buffer): Message => fromBinary(output, bytes);
  const options = { deadline: Date.now() + longestCallMs };
  return new Promise((resolve, reject) => {
    const done = (error: ServiceError | null, answer?: Message): void => {
      if (error === null) resolve(answer === undefined ? [] : [answer]);
      else reject(error);
    };
    if (kind === "unary") {
      client.makeUnaryRequest(path, write, read, request, metadata, options, done);
      return;
    }
    if (kind === "client_streaming") {
      const call = client.makeClientStreamRequest(path, write, read, metadata, options, done);
      call.write(request);
      call.end();
      return;
    }
    const messages: Message[] = [];
    const listen = (call: ClientReadableStream<Message>): void => {
      call.on("data", (message: Message) => messages.push(message));
      call.on("error", reject);
      call.on("end", () => resolve(messages));
    };
    if (kind === "server_streaming") {
      listen(client.makeServerStreamRequest(path, write, read, request, metadata, options));
      return;
    }
    const call = client.makeBidiStreamRequest(path, write, read, metadata, options);
    listen(call);
    call.write(request);
    call.end();
  });
}

export function grpcCaller(contract: Contract, url: string, requestOf: RequestOf): GrpcCaller {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const { registry } = contract;
  return {
    async call(operation, session) {
      const metadata = new Metadata();
      metadata.set(sessionHeader, session);
      const request = fromJson(operation.input, requestOf(operation.id), { registry });
      try {
        const messages = await streamed(client, operation, request, metadata);
        return {
          refusal: undefined,
          answers: messages.map((message) => normal(contract, operation, message)),
          faults: [],
        };
      } catch (thrown) {
        const { code, details, message } = thrown as Partial<ServiceError> & Error;
        return refused(code === undefined ? message : `${status[code]}: ${details}`);
      }
    },
    [Symbol.dispose]: () => client.close(),
  };
}
