// The SOAP client on undici.
import type { ClientBinding, PlainSetting } from "../../../basics/stack.ts";
import { undiciBinding } from "../../../shared/undici/undici-settings.ts";

const soapVersion = {
  name: "soapVersion",
  meaning: "version of SOAP that the client sends; the server answers in the same version",
  default: "1.1",
  values: ["1.1", "1.2"],
} as const satisfies PlainSetting;

export const client: ClientBinding = { ...undiciBinding, settings: [...undiciBinding.settings, soapVersion] };
