// An interceptor that does the injected work before it calls the service.
import type { CallContext, Interceptor, Operation } from "@roundtrip/contract";
import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Addition } from "./addition.ts";
import { burn } from "./burn.ts";
import { exactSleep } from "./exact-sleep.ts";

/** Runs before a call is answered; a returned promise is awaited. */
type Before = (operation: Operation, call: CallContext) => Promise<void> | undefined;

/** Objects of about a hundred bytes. A ring references the newest ones, so that some are old when they are freed. */
function makesGarbage(bytes: number): Before {
  const objectBytes = 100;
  const ring = Array.from({ length: 50_000 }, (): readonly number[] => []);
  let next = 0;
  return () => {
    for (let made = 0; made < bytes; made += objectBytes) {
      ring[next] = [made, made + 1, made + 2, made + 3, made + 4, made + 5, made + 6, made + 7];
      next = (next + 1) % ring.length;
    }
    return undefined;
  };
}

function isLate(oneIn: number, ms: number): Before {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % oneIn === 0 ? sleep(ms) : undefined;
  };
}

/** Closes every HTTP/1.1 connection after its current answer. */
function closesConnections(): void {
  subscribe("http.server.request.start", (message) => {
    (message as { readonly response: ServerResponse }).response.shouldKeepAlive = false;
  });
}

function beforeCalls(addition: Addition): Before {
  switch (addition.kind) {
    case "nothing":
      return () => undefined;
    case "burn":
      return ({ id }) => {
        burn(addition.turns[id] ?? 0);
        return undefined;
      };
    case "sleep": {
      const sleepSync = exactSleep();
      return ({ id }) => {
        sleepSync(addition.ms[id] ?? 0);
        return undefined;
      };
    }
    case "tail":
      return isLate(addition.oneIn, addition.ms);
    case "garbage":
      return makesGarbage(addition.bytes);
    case "padding": {
      const padding = "p".repeat(addition.bytes);
      return (_, { answerMetadata }) => void answerMetadata.set("x-padding", padding);
    }
    case "reconnect":
      closesConnections();
      return () => undefined;
  }
}

/** Affects calls with one answer; streams pass unchanged. */
export function withAddition(addition: Addition): Interceptor {
  const before = beforeCalls(addition);
  const added: Interceptor = (service) => ({
    contract: service.contract,
    guard: (other) => service.guard(other),
    call(operation, request, call) {
      const late = before(operation, call);
      return late === undefined
        ? service.call(operation, request, call)
        : late.then(() => service.call(operation, request, call));
    },
    stream: (operation, requests, call) => service.stream(operation, requests, call),
  });
  return added;
}
