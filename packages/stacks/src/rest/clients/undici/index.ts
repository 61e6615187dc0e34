// REST called by undici.
import type { ClientBinding } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";

export const client: ClientBinding = undiciBinding;
