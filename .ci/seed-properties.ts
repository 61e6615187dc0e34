// Property tests draw their values from the seed of the commit.
import { configureGlobal, readConfigureGlobal } from "fast-check";
import { inject } from "vitest";

configureGlobal({ ...readConfigureGlobal(), seed: inject("commitSeed") });
