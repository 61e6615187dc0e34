// An arm for tests, with everything that a test does not care about filled in.
import { sequentialPlan } from "../../src/index.ts";
import { idsFromName } from "@roundtrip/runs";
import type { PlannedArm } from "../../src/study/planned-arm.ts";

export interface ArmWish {
  readonly stack: string;
  readonly variant: string;
  readonly attributes: number;
  readonly tasksPerRound?: number;
  readonly tasksPerBlock?: number;
  readonly answerFields?: readonly string[];
  readonly study?: string;
}

export function anArm({
  stack,
  variant,
  attributes,
  tasksPerRound = 1,
  tasksPerBlock = 1,
  answerFields = [],
  study = "study",
}: ArmWish): PlannedArm {
  return {
    id: `${study}/read/${stack}/${variant}/attributes=${attributes}`,
    study,
    task: "read",
    ...idsFromName(stack),
    title: stack,
    stackTitle: stack,
    role: "style",
    variant,
    factors: { attributes },
    configuration: {
      id: stack,
      versionlessId: stack,
      stack,
      settings: {},
      server: {},
      client: {},
      defaults: {},
      services: {},
      link: undefined,
      tls: undefined,
      version: undefined,
    },
    callsPerTask: 1,
    plan: sequentialPlan(),
    answerKey: `${study}/read/attributes=${attributes}`,
    answerFields,
    answersMayDiffer: false,
    expected: {},
    setup: [],
    needs: [],
    takesFirstCall: true,
    callers: 1,
    connections: 1,
    tasksPerRound,
    tasksPerBlock,
    priority: 1,
  };
}
