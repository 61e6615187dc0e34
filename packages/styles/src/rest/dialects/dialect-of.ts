// The dialect that the settings of a server select.
import type { SettingsOf } from "@roundtrip/contract";
import { shortForm } from "../../shared/proto-json/json-form.ts";
import type { dialectSettings } from "./dialect-settings.ts";
import type { DialectName, RestDialect } from "./dialect.ts";
import { google } from "./google.ts";
import { grpcGateway } from "./grpc-gateway.ts";
import { standard } from "./standard.ts";

const dialects: Readonly<Record<DialectName, RestDialect>> = { standard, google, "grpc-gateway": grpcGateway };

/** @param settings valid ones */
export function dialectOf({ dialect, fieldNames, unsetFields }: SettingsOf<typeof dialectSettings>): RestDialect {
  const chosen = dialects[dialect as DialectName];
  const form = {
    hasContractNames: fieldNames === "contract",
    hasUnsetFields: unsetFields === "by-dialect" ? chosen.form.hasUnsetFields : unsetFields === "written",
  };
  // The short form has a faster writer.
  return { ...chosen, form: form.hasContractNames || form.hasUnsetFields ? form : shortForm };
}
