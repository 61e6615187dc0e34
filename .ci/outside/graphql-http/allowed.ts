// What the GraphQL server does differently from an audit, and why.
import type { Allowance } from "../suite.ts";

export const allowed: readonly Allowance[] = [];
