// The server and client of SOAP: what each needs. Importing this loads none of them. The XML parser belongs to the style.
import type { ClientBinding, PlainSetting, ServerBinding } from "../basics/stack.ts";
import { httpServerBinding, undiciBinding } from "../shared/settings.ts";

const soapVersion = {
  name: "soapVersion",
  meaning: "version of SOAP that the client sends; the server answers in the same version",
  default: "1.1",
  values: ["1.1", "1.2"],
} as const satisfies PlainSetting;

export const servers: Readonly<Record<string, ServerBinding>> = { "node-http": httpServerBinding() };

export const undiciClient: ClientBinding = { ...undiciBinding, settings: [...undiciBinding.settings, soapVersion] };

export const clients: Readonly<Record<string, ClientBinding>> = { undici: undiciClient };
