// The SOAP client on undici.
import type { ClientBinding } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";
import { soapVersion } from "./client-settings.ts";

export const client: ClientBinding = { ...undiciBinding, settings: [...undiciBinding.settings, soapVersion] };
