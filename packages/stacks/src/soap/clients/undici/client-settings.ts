// The settings of the SOAP client: those of undici, and the version of its envelopes.
import type { PlainSetting } from "../../../basics/stack.ts";

export const soapVersion = {
  name: "soapVersion",
  meaning: "version of SOAP that the client sends; the server answers in the same version",
  default: "1.1",
  values: ["1.1", "1.2"],
} as const satisfies PlainSetting;
