// Health checking and server reflection on a grpc-js server, loaded with their first call.
import type { Server, UntypedHandleCall } from "@grpc/grpc-js";
import type { Service } from "@roundtrip/contract";
import type { StandardMethod } from "@roundtrip/styles/grpc/server";
import { bytesMethod } from "../../grpc-js/method-definition.ts";
import { handlerOf } from "./handler-of.ts";

/** @param stopping aborted when the server is about to stop: it notifies clients that watch its health. */
export function addStandardServices(
  server: Server,
  added: readonly StandardMethod[],
  service: Service,
  stopping: AbortSignal,
): void {
  let handlers: Promise<ReadonlyMap<string, UntypedHandleCall>> | undefined;
  async function load(): Promise<ReadonlyMap<string, UntypedHandleCall>> {
    const { standardAnswers } = await import("@roundtrip/styles/grpc/standard-answers");
    return new Map(standardAnswers(service, stopping).map((method) => [method.path, handlerOf(method)]));
  }
  for (const { path, kind } of added) {
    const [, , name = ""] = path.split("/");
    const handler = async (...call: readonly unknown[]): Promise<void> => {
      const answer = (await (handlers ??= load())).get(path) as (...args: readonly unknown[]) => void;
      answer(...call);
    };
    // Not `{ [name]: handler }`: the linter fails on a function under a computed name.
    server.addService({ [name]: bytesMethod(path, kind) }, Object.fromEntries([[name, handler]]));
  }
}
