// REST called by the fetch of Node.js, over connections of undici.
import type { ClientBinding } from "../../../stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";

export const client: ClientBinding = undiciBinding;
