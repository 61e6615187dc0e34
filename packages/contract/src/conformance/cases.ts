// All cases of the suite, area by area.
import { valueCases } from "./areas/values.ts";
import type { ConformanceCase } from "./case.ts";

/** Every case, in the order of ids. */
export const conformanceCases: readonly ConformanceCase[] = [...valueCases];
