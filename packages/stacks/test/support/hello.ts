// The smallest service whose answer a test decides, and calls to it.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, type CallContext, type CallOptions, type Client, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import {
  SayHelloRequestSchema,
  SayHelloResponseSchema,
  type SayHelloRequest,
  type SayHelloResponse,
} from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";

export const contract = builtInContract();

export const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");

function responseOf(message: string): Message {
  return create(SayHelloResponseSchema, { message });
}

/** Answers SayHello with the text that `answer` gives, or fails with what it throws; every other operation is not implemented. */
export function helloService(
  answer: (request: SayHelloRequest, context: CallContext) => string | Promise<string>,
): Service {
  const handler = (request: Message, context: CallContext): Message | Promise<Message> => {
    const text = answer(request as SayHelloRequest, context);
    return typeof text === "string" ? responseOf(text) : text.then(responseOf);
  };
  return serviceOf(contract, new Map([[sayHello.id, handler]]));
}

/** Calls SayHello and resolves to the text of the answer. */
export async function hello(client: Client, name: string, options: CallOptions = {}): Promise<string> {
  const response = await client.prepare(sayHello)(create(SayHelloRequestSchema, { name }), options);
  return (response as SayHelloResponse).message;
}
