// Who runs where: one core for each side, and all but the client's for servers that compute on threads.
import { describe, expect, it } from "vitest";
import { placements } from "../src/processes/cores.ts";

describe("where processes run", () => {
  it("on two cores, threads have the one that the client has not, and the words say that they gain nothing", () => {
    const places = placements([0, 1]);
    expect(places.ofRound(0)).toEqual({ server: 0, client: 1, allButClient: [0] });
    expect(places.ofRound(1)).toEqual({ server: 1, client: 0, allButClient: [1] });
    expect(places.wordsOfThreads).toContain("threads gain nothing here");
  });

  it("on more, threads have all but the client's in every round, and other servers one", () => {
    const places = placements([0, 2, 3, 5]);
    expect(places.ofRound(0)).toEqual({ server: 0, client: 2, allButClient: [0, 3, 5] });
    expect(places.ofRound(1)).toEqual({ server: 2, client: 0, allButClient: [2, 3, 5] });
    expect(places.wordsOfThreads).toContain("the 3 cores that are not their client's");
  });

  it("on one, is left to the operating system", () => {
    expect(placements([0]).ofRound(0)).toEqual({ server: undefined, client: undefined, allButClient: undefined });
  });
});
