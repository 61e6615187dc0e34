// Services that misbehave, loaded by server processes of their own.
import { type Contract, type Service } from "@roundtrip/contract";
import { serviceOf } from "@roundtrip/contract/service";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { create } from "@bufbuild/protobuf";
import { existsSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** The file that a mortal server dies of once it is there. @param runner the process that started the server. */
export function fatalFile(runner: number): string {
  return join(tmpdir(), `roundtrip-fatal-${runner}`);
}

/** Calls that a mortal server answers before it dies. */
export const lastCalls = 4;

/**
 * After the process that started it has said so, answers some calls and is killed by the next, as by the kernel when memory is gone. It dies alone:
 * no other server does of the same file.
 */
export function mortalService(contract: Contract): Service {
  const fatal = fatalFile(process.ppid);
  let left: number | undefined;
  return answering(contract, () => {
    if (existsSync(fatal)) {
      rmSync(fatal);
      left = lastCalls;
    }
    if (left === 0) process.kill(process.pid, "SIGKILL");
    if (left !== undefined) left -= 1;
    return "Hello!";
  });
}

/** Dies of its first call. */
export function stillbornService(contract: Contract): Service {
  return answering(contract, () => process.exit(7));
}
