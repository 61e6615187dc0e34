// Serves a fake by several servers at once, which change together.
import type { Service } from "@roundtrip/contract";
import {
  loadServe,
  loadStack,
  type RequestWatch,
  type ServedService,
  type ServeOptions,
  watchRefusals,
} from "@roundtrip/stacks";
import { sessionMetadataName } from "../basics/names.ts";
import { receivedBy } from "../log/received-call.ts";
import type { Fake } from "./fake.ts";

/**
 * The watch for a stack that serves a fake: refused requests are in the fake's log, and calls name their server there. Rejects with a StackError for an unknown stack.
 * @param server its name among the addresses of the fake
 */
export async function stackWatch(fake: Fake, stack: string, server: string = stack): Promise<RequestWatch> {
  const { style, title } = await loadStack(stack);
  const watch = await watchRefusals(
    style,
    () => fake.contract,
    ({ request, headers, code, message, nearest, nearestField }) => {
      const session = headers[sessionMetadataName];
      fake.refusalLog.add({
        session: typeof session === "string" ? session : "",
        server,
        style: title,
        request,
        outcome: code,
        message,
        nearest,
        nearestField,
        at: Date.now(),
      });
    },
  );
  return { ...watch, marking: (service) => receivedBy(watch.marking(service), { server, style }) };
}

/** One server of a fake. */
export interface FakeServer extends Pick<ServeOptions, "port" | "settings"> {
  /** Its name among the addresses. */
  readonly name: string;
  readonly stack: string;
}

export interface ServedFake {
  /** Addresses by name of the server. */
  readonly urls: Readonly<Record<string, string>>;
  /** Replaces the service on all servers, or on none if one cannot serve it. */
  replace(service: Service): Promise<void>;
  /** Finishes calls in flight, then closes. */
  close(): Promise<void>;
}

/** Starts the servers in their order. Rejects with a StackError, and leaves none running, if one cannot start. */
export async function serveFake(
  fake: Fake,
  servers: readonly FakeServer[],
  options: Omit<ServeOptions, "port" | "settings" | "watch">,
): Promise<ServedFake> {
  const served = new Map<string, ServedService>();
  let current = fake.service;
  const close = async (): Promise<void> => {
    await Promise.all([...served.values()].map((server) => server.close()));
  };
  try {
    for (const { name, stack, port, settings } of servers) {
      const serve = await loadServe(stack);
      const watch = await stackWatch(fake, stack, name);
      served.set(name, await serve(current, { ...options, port, settings, watch }));
    }
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    urls: Object.fromEntries([...served].map(([name, { url }]) => [name, url])),
    async replace(next) {
      const all = [...served.values()];
      const outcomes = await Promise.allSettled(all.map((server) => server.replace(next)));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed !== undefined) {
        await Promise.all(all.map((server) => server.replace(current)));
        throw failed.reason;
      }
      current = next;
    },
    close,
  };
}
