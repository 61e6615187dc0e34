// What documents over edges that ask for too much take of a server: processor time, and memory afterwards.
import { expect, test } from "vitest";
import { serving, sites } from "./support/freight.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { hostileDocuments } from "./support/hostile-edges.ts";
import { graphqlStack, pairOf } from "./support/pair.ts";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function usedHeapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test("each of 200 hostile documents is refused in 50 ms, and none is kept", async () => {
  const { server } = await pairOf(graphqlStack, serving({ stops: sites(1, 2) }).service);
  /** The least of several times: others' work is no document's. The client's part is in it. */
  const leastMs = hostileDocuments.map(() => Number.POSITIVE_INFINITY);
  const refuseAll = async (): Promise<void> => {
    for (const [at, { query }] of hostileDocuments.entries()) {
      const before = process.cpuUsage();
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await graphqlPost(server, { query });
      const { user, system } = process.cpuUsage(before);
      leastMs[at] = Math.min(leastMs[at] ?? 0, (user + system) / 1_000);
    }
  };
  await refuseAll();
  const before = usedHeapBytes();
  await refuseAll();
  await refuseAll();
  expect(usedHeapBytes() - before).toBeLessThan(2e6);
  expect(Math.max(...leastMs)).toBeLessThan(50);
});
