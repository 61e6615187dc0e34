// All cases of the suite, area by area.
import { authenticationCases } from "./areas/calls/authentication.ts";
import { bindingCases } from "./areas/requests/bindings.ts";
import { concurrencyCases } from "./areas/calls/concurrency.ts";
import { containerCases } from "./areas/values/containers.ts";
import { deadlineCases } from "./areas/calls/deadlines.ts";
import { errorCases } from "./areas/calls/errors.ts";
import { limitCases } from "./areas/faults/limits.ts";
import { maskCases } from "./areas/requests/masks.ts";
import { matrixCases } from "./areas/services/matrix.ts";
import { metadataCases } from "./areas/calls/metadata.ts";
import { metadataEdgeCases } from "./areas/calls/metadata-edges.ts";
import { misuseCases } from "./areas/faults/misuse.ts";
import { pagingCases } from "./areas/requests/paging.ts";
import { payloadCases } from "./areas/services/payload.ts";
import { payloadPaceCases } from "./areas/services/payload-pace.ts";
import { presenceCases } from "./areas/values/presence.ts";
import { scalarCases } from "./areas/values/scalars.ts";
import { shutdownCases } from "./areas/faults/shutdown.ts";
import { spellingCases } from "./areas/values/spellings.ts";
import { streamEndCases } from "./areas/streams/stream-ends.ts";
import { streamingCases } from "./areas/streams/streaming.ts";
import { conversationCases, requestStreamCases } from "./areas/streams/request-streams.ts";
import { togetherCases } from "./areas/requests/together.ts";
import { valueCases } from "./areas/values/values.ts";
import { wellKnownCases } from "./areas/values/well-known.ts";
import type { ConformanceCase } from "./case/case.ts";

/** Every case, in the order of ids. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...valueCases,
  ...scalarCases,
  ...presenceCases,
  ...containerCases,
  ...wellKnownCases,
  ...maskCases,
  ...pagingCases,
  ...errorCases,
  ...deadlineCases,
  ...limitCases,
  ...concurrencyCases,
  ...shutdownCases,
  ...togetherCases,
  ...metadataCases,
  ...metadataEdgeCases,
  ...streamingCases,
  ...streamEndCases,
  ...requestStreamCases,
  ...conversationCases,
  ...misuseCases,
  ...bindingCases,
  ...authenticationCases,
  ...payloadCases,
  ...payloadPaceCases,
  ...spellingCases,
  ...matrixCases,
];
