// The project's tests in the order that finds a changed file soonest.
import { mergeConfig } from "vitest/config";
import usual from "../../vitest.config.ts";
import { LikeliestFirst } from "./likeliest-first.ts";

export default mergeConfig(usual, { test: { sequence: { sequencer: LikeliestFirst } } });
