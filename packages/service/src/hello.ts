// The hello service.
import { create } from "@bufbuild/protobuf";
import { handlersOf, type Handlers } from "@roundtrip/contract";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";

export function helloHandlers(): Handlers {
  return handlersOf(HelloService, {
    sayHello: (request) => create(SayHelloResponseSchema, { message: `Hello, ${request.name}!` }),
  });
}
