// Lets the servers of a fake report refused requests to it.
import { loadStack, watchRefusals, type RequestWatch } from "@roundtrip/stacks";
import { sessionMetadataName } from "../basics/session-metadata.ts";
import type { Fake } from "./fake.ts";

/** A server of a fake: its name among the addresses, and the style that it speaks. */
interface WatchedServer {
  readonly server: string;
  /** The style's id. */
  readonly style: string;
  /** The style's title. */
  readonly title: string;
}

async function watchFor(fake: Fake, { server, style, title }: WatchedServer): Promise<RequestWatch> {
  return watchRefusals(
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
}

/** The watch for a stack that serves a fake: refused requests are in the fake's log. Rejects with a StackError for an unknown stack. */
export async function stackWatch(fake: Fake, stack: string): Promise<RequestWatch> {
  const { style, title } = await loadStack(stack);
  return watchFor(fake, { server: stack, style, title });
}

/** The watch for the fake's own server of Connect and gRPC-Web. */
export function connectWatch(fake: Fake, server: string): Promise<RequestWatch> {
  return watchFor(fake, { server, style: "connect", title: "Connect" });
}
