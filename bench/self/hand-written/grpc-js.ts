// The gRPC server that a specialist would write for hello and customers: generated messages on grpc-js, with the options of the stack. Errors, which
// are not timed, use the code of the stack.
import { create, fromBinary, toBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import * as grpc from "@grpc/grpc-js";
import { CallError } from "@roundtrip/contract";
import * as customers from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { SayHelloRequestSchema, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { serveDefaults } from "@roundtrip/stacks";
import {
  grpcJsServerSettingsWith,
  http2ServersOf,
  Http2Sessions,
  exhaustedRequest,
  lateRequest,
  statusObjectOf,
  statusOf,
} from "@roundtrip/stacks/grpc-js/parts";
import { checkId, customerWith, deadlineExceeded, greetingOf } from "./customers.ts";
import type { ServeHandWritten } from "./serve.ts";

type Unary<I extends DescMessage, O extends DescMessage> = grpc.MethodDefinition<MessageShape<I>, MessageShape<O>>;

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function unary<I extends DescMessage, O extends DescMessage>(path: string, input: I, output: O): Unary<I, O> {
  return {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: (request) => buffer(toBinary(input, request)),
    requestDeserialize: (bytes) => fromBinary(input, bytes),
    responseSerialize: (response) => buffer(toBinary(output, response)),
    responseDeserialize: (bytes) => fromBinary(output, bytes),
  };
}

const helloService = {
  SayHello: unary("/roundtrip.v1.HelloService/SayHello", SayHelloRequestSchema, SayHelloResponseSchema),
};

const customerService = {
  GetCustomer: unary(
    "/roundtrip.v1.CustomerService/GetCustomer",
    customers.GetCustomerRequestSchema,
    customers.CustomerSchema,
  ),
};

function isLate(call: { getDeadline(): grpc.Deadline }): boolean {
  const deadline = Number(call.getDeadline());
  return deadline !== Infinity && deadline <= Date.now();
}

function answered<I, O>(answer: (request: I) => O): grpc.handleUnaryCall<I, O> {
  return (call, callback) => {
    let response: O;
    try {
      if (isLate(call)) throw deadlineExceeded();
      response = answer(call.request);
    } catch (thrown) {
      callback(statusObjectOf(statusOf(CallError.from(thrown))));
      return;
    }
    callback(null, response);
  };
}

export const serve: ServeHandWritten = async ({ host, port, maxMessageBytes }) => {
  const server = new grpc.Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": -1,
    "grpc.enable_channelz": 0,
  });
  server.addService(helloService, {
    SayHello: answered(({ name }: MessageShape<typeof SayHelloRequestSchema>) =>
      create(SayHelloResponseSchema, { message: greetingOf(name) }),
    ),
  });
  server.addService(customerService, {
    GetCustomer: answered(({ id, readMask }: customers.GetCustomerRequest) => {
      checkId(id);
      return customerWith(id, readMask?.paths);
    }),
  });
  const taken = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${host}:${port}`, grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  // Sets the HTTP/2 window of every connection, for which grpc-js has no option.
  // oxlint-disable-next-line no-new
  new Http2Sessions(http2ServersOf(server), {
    ...serveDefaults,
    ...grpcJsServerSettingsWith({}),
    faultsOf: () => ({ requestStreams: new Set(), lateRequest, exhaustedRequest }),
    isEager: true,
  });
  return {
    url: `http://${host}:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.tryShutdown(() => resolve());
      }),
  };
};
