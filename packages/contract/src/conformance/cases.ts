// All cases of the suite, area by area.
import { authenticationCases } from "./areas/authentication.ts";
import { bindingCases } from "./areas/bindings.ts";
import { concurrencyCases } from "./areas/concurrency.ts";
import { containerCases } from "./areas/containers.ts";
import { deadlineCases } from "./areas/deadlines.ts";
import { errorCases } from "./areas/errors.ts";
import { limitCases } from "./areas/limits.ts";
import { maskCases } from "./areas/masks.ts";
import { matrixCases } from "./areas/matrix.ts";
import { metadataCases } from "./areas/metadata.ts";
import { metadataEdgeCases } from "./areas/metadata-edges.ts";
import { misuseCases } from "./areas/misuse.ts";
import { pagingCases } from "./areas/paging.ts";
import { payloadCases } from "./areas/payload.ts";
import { payloadPaceCases } from "./areas/payload-pace.ts";
import { presenceCases } from "./areas/presence.ts";
import { scalarCases } from "./areas/scalars.ts";
import { shutdownCases } from "./areas/shutdown.ts";
import { spellingCases } from "./areas/spellings.ts";
import { streamEndCases } from "./areas/stream-ends.ts";
import { streamingCases } from "./areas/streaming.ts";
import { requestStreamCases } from "./areas/request-streams.ts";
import { togetherCases } from "./areas/together.ts";
import { valueCases } from "./areas/values.ts";
import { wellKnownCases } from "./areas/well-known.ts";
import type { ConformanceCase } from "./case.ts";

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
  ...misuseCases,
  ...bindingCases,
  ...authenticationCases,
  ...payloadCases,
  ...payloadPaceCases,
  ...spellingCases,
  ...matrixCases,
];
