// Services that misbehave, loaded by server processes of their own.
import { type Contract, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { create } from "@bufbuild/protobuf";
import { setTimeout } from "node:timers/promises";

const sayHello = "roundtrip.v1.HelloService.SayHello";

function answering(contract: Contract, answer: () => string): Service {
  return serviceOf(contract, new Map([[sayHello, () => create(SayHelloResponseSchema, { message: answer() })]]));
}

/** Answers with the most calls that it ever had at once, each of which takes its time. */
export function countingService(contract: Contract): Service {
  let atOnce = 0;
  let most = 0;
  const handler = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await setTimeout(5);
    atOnce -= 1;
    return create(SayHelloResponseSchema, { message: `${most} at once` });
  };
  return serviceOf(contract, new Map([[sayHello, handler]]));
}

/** Answers differently in every process. */
export function moodyService(contract: Contract): Service {
  return answering(contract, () => `I am process ${process.pid}`);
}

/** Dies in the middle of the measurement: after what warm-up can take, before a round of 15,000 calls is over. */
export function mortalService(contract: Contract): Service {
  let calls = 0;
  return answering(contract, () => {
    calls += 1;
    if (calls === 12_000) process.exit(9);
    return "Hello!";
  });
}

/** Dies of its first call. */
export function stillbornService(contract: Contract): Service {
  return answering(contract, () => process.exit(7));
}
