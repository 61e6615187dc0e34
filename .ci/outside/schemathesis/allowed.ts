// What the REST server does differently from what its document can say, and why.
import type { Allowance } from "../suite.ts";

export const allowed: readonly Allowance[] = [];
