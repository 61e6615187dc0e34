// Who made the calls, where that was not this project's own clients.
import { listed, type Environment } from "@roundtrip/analysis";

/** `k6 v1.8.1 made the calls, 2 instances (segments 0:1/2 and 1/2:1)`; undefined for this project's clients. */
export function generatorsText({ generators = [] }: Pick<Environment, "generators">): string | undefined {
  if (generators.length === 0) return undefined;
  const names = new Set(
    generators.map(({ name, version }) => (version === null ? `${name} of an unknown version` : `${name} ${version}`)),
  );
  const segments = [...new Set(generators.map(({ segment }) => segment))];
  const instances = segments.length === 1 ? "" : `, ${segments.length} instances (segments ${listed(segments)})`;
  return `${listed([...names])} made the calls${instances}`;
}
