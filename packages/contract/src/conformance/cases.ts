// All cases of the suite, area by area.
import { concurrencyCases } from "./areas/concurrency.ts";
import { deadlineCases } from "./areas/deadlines.ts";
import { errorCases } from "./areas/errors.ts";
import { limitCases } from "./areas/limits.ts";
import { maskCases } from "./areas/masks.ts";
import { pagingCases } from "./areas/paging.ts";
import { shutdownCases } from "./areas/shutdown.ts";
import { togetherCases } from "./areas/together.ts";
import { valueCases } from "./areas/values.ts";
import type { ConformanceCase } from "./case.ts";

/** Every case, in the order of ids. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...valueCases,
  ...maskCases,
  ...pagingCases,
  ...errorCases,
  ...deadlineCases,
  ...limitCases,
  ...concurrencyCases,
  ...shutdownCases,
  ...togetherCases,
];
