// The gRPC server that a specialist would write for hello and customers: generated services on Connect's router, with the options of the stack. It
// listens like the stack. Errors, which are not timed, use the code of the stack.
import type { ConnectRouter } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { ServerCall } from "@roundtrip/contract";
import { CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import {
  connectErrorOf,
  http2ServerSettings,
  lateRequest,
  readCompressions,
  serveHttp2,
  settingsWith,
} from "@roundtrip/stacks/connect-node/parts";
import { customerWith } from "./customer-messages.ts";
import { checkId, greetingOf } from "./customers.ts";
import type { ServeHandWritten } from "./hand-written.ts";

function answered<T>(answer: () => T): T {
  try {
    return answer();
  } catch (thrown) {
    throw connectErrorOf(thrown, new ServerCall(), (error) => error);
  }
}

function routes(router: ConnectRouter): void {
  router.service(HelloService, {
    sayHello: ({ name }) => answered(() => ({ message: greetingOf(name) })),
  });
  router.service(CustomerService, {
    getCustomer: ({ id, readMask }) =>
      answered(() => {
        checkId(id);
        return customerWith(id, readMask?.paths);
      }),
  });
}

export const serve: ServeHandWritten = (options) => {
  const adapter = connectNodeAdapter({
    routes,
    connect: false,
    grpcWeb: false,
    acceptCompression: [...readCompressions],
    compressMinBytes: 0xff_ff_ff_ff,
    readMaxBytes: options.maxMessageBytes,
  });
  return serveHttp2(options, {
    set: settingsWith(http2ServerSettings, {}),
    requestStreams: new Set(),
    lateRequest,
    attach: (server) => void server.on("request", adapter),
  });
};
