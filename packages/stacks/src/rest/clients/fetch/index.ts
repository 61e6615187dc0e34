// The REST client on the fetch of Node.js, over connections of undici.
import type { ClientBinding } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";

export const client: ClientBinding = {
  ...undiciBinding,
  limitations: [
    { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
    { feature: "traceMethod", reason: "fetch sends no TRACE (Fetch, forbidden methods)" },
    { feature: "bodyOfGet", reason: "fetch sends no body with GET and HEAD" },
  ],
};
