// What the gRPC server does differently from what grpcio expects, and why.
import type { Allowance } from "../suite.ts";

export const allowed: readonly Allowance[] = [];
