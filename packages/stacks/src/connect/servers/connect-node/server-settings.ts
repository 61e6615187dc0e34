// The settings of the Connect server.
import type { PlainSetting } from "../../../basics/stack.ts";
import { httpServerSettings } from "../../../shared/http-settings.ts";
import { http2OnlyServerSettings } from "../../../shared/http2/http2-settings.ts";
import { httpVersion } from "../../http-version.ts";

export const serverSettings = [
  ...httpServerSettings,
  ...http2OnlyServerSettings,
  httpVersion,
] as const satisfies readonly PlainSetting[];
