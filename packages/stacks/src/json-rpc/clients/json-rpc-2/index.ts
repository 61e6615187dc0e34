// The JSON-RPC client of the package json-rpc-2.0, on undici.
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";
import type { ClientBinding } from "../../../basics/stack.ts";

export const client: ClientBinding = { ...undiciBinding, libraries: ["json-rpc-2.0", ...undiciBinding.libraries] };
