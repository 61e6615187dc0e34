// The table of changes of contracts.
import { anyRows } from "./any-rows.ts";
import { cardinalityRows } from "./cardinality-rows.ts";
import { enumRows } from "./enum-rows.ts";
import { fieldRows } from "./field-rows.ts";
import { httpRows } from "./http-rows.ts";
import { messageRows } from "./message-rows.ts";
import { operationRows } from "./operation-rows.ts";
import { rawRows } from "./raw-rows.ts";
import type { Rows } from "./row.ts";
import { typeRows } from "./type-rows.ts";
import { wellKnownRows } from "./well-known-rows.ts";

export const everyRow: Rows = {
  ...fieldRows,
  ...cardinalityRows,
  ...typeRows,
  ...wellKnownRows,
  ...enumRows,
  ...messageRows,
  ...anyRows,
  ...httpRows,
  ...rawRows,
  ...operationRows,
};
