// Health checking and server reflection on a grpc-js server, loaded with their first call.
import type { UntypedHandleCall } from "@grpc/grpc-js";
import type { Service } from "@roundtrip/contract";
import type { StandardMethod } from "@roundtrip/styles/grpc/server";
import { handlerOf, type AnsweredMethod } from "./handler-of.ts";

/** @param stopping aborted when the server is about to stop: it notifies clients that watch its health. */
export function standardServices(
  methods: readonly StandardMethod[],
  service: Service,
  stopping: AbortSignal,
): readonly AnsweredMethod[] {
  let handlers: Promise<ReadonlyMap<string, UntypedHandleCall>> | undefined;
  async function load(): Promise<ReadonlyMap<string, UntypedHandleCall>> {
    const { standardAnswers } = await import("@roundtrip/styles/grpc/standard-answers");
    return new Map(standardAnswers(service, stopping).map((method) => [method.path, handlerOf(method)]));
  }
  return methods.map(({ path, kind }) => ({
    path,
    kind,
    handler: async (...call: readonly unknown[]): Promise<void> => {
      const answer = (await (handlers ??= load())).get(path) as (...args: readonly unknown[]) => void;
      answer(...call);
    },
  }));
}
