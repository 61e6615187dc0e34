// The REST client on axios, over node:http, on connections that undici opens.
import type { ClientBinding } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";

export const client: ClientBinding = { ...undiciBinding, libraries: ["axios", ...undiciBinding.libraries] };
