// The settings of the Connect client on fetch.
import type { PlainSetting } from "../../../basics/stack.ts";
import { undiciSettings } from "../../../shared/undici/undici-settings.ts";
import { callSettings } from "../../client-settings.ts";
import { httpVersion } from "../../http-version.ts";

export const clientSettings = [
  ...undiciSettings,
  ...callSettings,
  // fetch speaks HTTP/2 only if a TLS handshake has chosen it.
  { ...httpVersion, values: ["1.1"] },
] as const satisfies readonly PlainSetting[];
