// The queueing models, for given loads and demands: `@roundtrip/analysis/models`.
export { asymptoticBounds, type AsymptoticBounds } from "./models/asymptotic-bounds.ts";
export {
  withClass,
  type CallerClass,
  type ClosedNetwork,
  type Demand,
  type ServiceDistribution,
  type Station,
  type StationKind,
  type TimeKind,
} from "./models/closed-network.ts";
export type { ClassPrediction, ClosedPrediction, StationPrediction } from "./models/closed-prediction.ts";
export { exactMva } from "./models/exact-mva.ts";
export { mm1, type Mm1Load, mmc, type MmcLoad, mostServers } from "./models/open-queues.ts";
export { capacityHz } from "./models/model-input.ts";
export type { OpenPrediction, ResponsePercentiles } from "./models/open-queues.ts";
export { readClosedNetwork } from "./models/read-closed-network.ts";
export { simulatedNetwork, simulatedQueue } from "./models/simulation/simulate.ts";
export {
  simulate,
  simulateDefaults,
  type SimulatedSource,
  type SimulatedStationState,
  type SimulateOptions,
  type Simulation,
} from "./models/simulation/simulate.ts";
export { withinCapacity } from "./models/within-capacity.ts";
export type {
  SimulatedNetwork,
  SimulatedService,
  SimulatedStation,
  Source,
  Times,
} from "./models/simulation/simulate.ts";
