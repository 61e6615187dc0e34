// Lets the servers of a fake report refused requests to it.
import { loadStack, watchRefusals, type RequestWatch } from "@roundtrip/stacks";
import { sessionMetadataName } from "../basics/names.ts";
import type { Fake } from "./fake.ts";

/**
 * The watch for a stack that serves a fake: refused requests are in the fake's log. Rejects with a StackError for an unknown stack.
 * @param server its name among the addresses of the fake
 */
export async function stackWatch(fake: Fake, stack: string, server: string = stack): Promise<RequestWatch> {
  const { style, title } = await loadStack(stack);
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
