// The table of changes of contracts.
import { anyRows } from "./any-rows.ts";
import { cardinalityRows } from "./cardinality-rows.ts";
import { enumRows } from "./enum-rows.ts";
import { fieldRows } from "./field-rows.ts";
import { httpRows } from "./http-rows.ts";
import { listRows } from "./list-rows.ts";
import { messageRows } from "./message-rows.ts";
import { oneofRows } from "./oneof-rows.ts";
import { operationRows } from "./operation-rows.ts";
import { pathFieldRows } from "./path-field-rows.ts";
import { pathRows } from "./path-rows.ts";
import { rawRows } from "./raw-rows.ts";
import type { Rows } from "./row.ts";
import { ruleRows } from "./rule-rows.ts";
import { typeRows } from "./type-rows.ts";
import { wellKnownRows } from "./well-known-rows.ts";

export const everyRow: Rows = {
  ...fieldRows,
  ...oneofRows,
  ...ruleRows,
  ...cardinalityRows,
  ...listRows,
  ...typeRows,
  ...wellKnownRows,
  ...enumRows,
  ...messageRows,
  ...anyRows,
  ...httpRows,
  ...pathRows,
  ...pathFieldRows,
  ...rawRows,
  ...operationRows,
};
