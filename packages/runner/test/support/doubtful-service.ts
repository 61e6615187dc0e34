// A service as users write them: modules of its own, an error of the contract, and files that it looks for beside itself.
import { CallError, type Contract, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { create, type Message } from "@bufbuild/protobuf";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";

const sayHello = "roundtrip.v1.HelloService.SayHello";

/** Knows the world, and nobody else. */
function answer(request: Message): Message {
  const { name } = request as Message & { readonly name: string };
  if (name !== "World") throw new CallError("NOT_FOUND", `there is no ${name}`);
  const isBeside = existsSync(join(import.meta.dirname, "services.ts"));
  return create(SayHelloResponseSchema, { message: `${basename(import.meta.filename)} ${isBeside}` });
}

/** Says where it is. */
export function doubtfulService(contract: Contract): Service {
  return serviceOf(contract, new Map([[sayHello, answer]]));
}
