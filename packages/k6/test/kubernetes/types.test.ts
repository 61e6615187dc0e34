// The schemas of Kubernetes do not say that a field is unknown; the types do, which every manifest here is made with.
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";
import { expectTypeOf, test } from "vitest";
import type { networkPolicy, serverDeployment } from "../../src/kubernetes/server-manifests.ts";
import type { TestRun } from "../../src/kubernetes/test-run.ts";

type Container = NonNullable<NonNullable<NonNullable<Deployment["spec"]>["template"]["spec"]>["containers"]>[number];

test("what makes a manifest is held against the types of Kubernetes, by name of every field", () => {
  expectTypeOf<ReturnType<typeof serverDeployment>>().toEqualTypeOf<Deployment>();
  expectTypeOf<ReturnType<typeof networkPolicy>>().toEqualTypeOf<NetworkPolicy>();
  // @ts-expect-error -- readinesProbe is misspelled
  const misspelled: Container = { name: "server", readinesProbe: {} };
  // @ts-expect-error -- the name is missing
  const nameless: Container = { image: "server" };
  // @ts-expect-error -- securityContext is of a pod or a container, not of a selector
  const misplaced: Deployment["spec"] = { selector: { securityContext: {} }, template: {} };
  // @ts-expect-error -- localfile is misspelled
  const script: TestRun["spec"]["script"] = { localfile: "/test/script.js" };
  expectTypeOf([misspelled, nameless, misplaced, script]).toBeArray();
});
