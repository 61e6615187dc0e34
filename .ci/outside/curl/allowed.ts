// What a server answers curl differently from what is expected, and why.
import type { Allowance } from "../suite.ts";

export const allowed: readonly Allowance[] = [];
