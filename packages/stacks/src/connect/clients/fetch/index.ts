// The Connect client on the fetch of Node.js, written from the specification, over connections of undici.
import type { ClientBinding } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";
import { clientSettings } from "./client-settings.ts";

export const client: ClientBinding = {
  ...undiciBinding,
  limitations: [
    { feature: "anyPort", reason: "fetch refuses the ports of other protocols, such as 6000 (Fetch, port blocking)" },
  ],
  settings: clientSettings,
};
