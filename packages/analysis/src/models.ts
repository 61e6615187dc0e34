// The queueing models, for given loads and demands: `@roundtrip/analysis/models`.
export {
  readClosedNetwork,
  type ClosedNetwork,
  type ServiceDistribution,
  type Station,
  type StationKind,
  type TimeKind,
} from "./models/closed-network.ts";
export {
  asymptoticBounds,
  exactMva,
  withinCapacity,
  type AsymptoticBounds,
  type ClosedPrediction,
  type StationPrediction,
} from "./models/exact-mva.ts";
export {
  mm1,
  mmc,
  mostServers,
  type Mm1Load,
  type MmcLoad,
  type OpenPrediction,
  type ResponsePercentiles,
} from "./models/open-queues.ts";
export { capacityHz } from "./models/model-input.ts";
export {
  simulate,
  simulateDefaults,
  simulatedNetwork,
  simulatedQueue,
  type SimulatedNetwork,
  type SimulatedStation,
  type SimulatedStationState,
  type SimulateOptions,
  type Simulation,
  type Source,
  type Times,
} from "./models/simulation/simulate.ts";
