// The server of the floor: an echo over TCP.
import { keepAlive } from "../../../shared/connection-settings.ts";
import type { ServerBinding } from "../../../basics/stack.ts";

export const server: ServerBinding = { libraries: [], limitations: [], deviations: [], settings: [keepAlive] };
