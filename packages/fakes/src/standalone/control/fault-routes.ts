// The fault plan of a fake over HTTP, in the form of fault files.
import { Router } from "express";
import { type FaultPlan, faultPresets, noFaults } from "../../faults/fault-schema.ts";
import { withPresets } from "../../faults/plan-rules.ts";
import { parseFaultPlan } from "../../faults/read-fault-plan.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { otherMethods } from "./other-methods.ts";
import { bodyOf, documentIn, maybeTextIn, queryOf } from "./control-error.ts";
import { yaml } from "../../files/located-documents.ts";

/** A plan as YAML; empty for a plan without rules. */
function faultText(plan: FaultPlan): string {
  const members = Object.entries(plan).filter(([, rules]) => (rules?.length ?? 0) > 0);
  if (members.length === 0) return "";
  return yaml().stringify(Object.fromEntries(members), { aliasDuplicateObjects: false });
}

/** The name of the text in error messages. */
const textName = "faults";

/**
 * `GET /faults` returns the plan as `{ "rules": COUNT, "text": …, "presets": NAMES }`; `PUT /faults` sets it from `{ "text": … }`; `DELETE /faults`
 * removes it. With a session, in the query or as a member of the body, they are about the plan that only this session has.
 */
export function faultRoutes(standalone: StandaloneFake): Router {
  const { fake } = standalone;
  const router = Router();
  const planOf = (session: string | undefined): FaultPlan => {
    const isKnown = session !== undefined && fake.sessions.names.includes(session);
    return (isKnown ? fake.session(session).own.faults : undefined) ?? fake.options.faults;
  };
  const listed = (session: string | undefined): object => {
    const plan = planOf(session);
    const { faults, latencies } = withPresets(plan);
    const rules = faults.length + latencies.length;
    return { rules, text: faultText(plan), presets: Object.keys(faultPresets) };
  };
  router
    .route("/faults")
    .get((request, response) => void response.json(listed(queryOf(request, ["session"]).session)))
    .put(async (request, response) => {
      const body = bodyOf(request, ["text", "session"]);
      const session = maybeTextIn(body, "session");
      const plan = await parseFaultPlan(documentIn(body, "text", textName), textName, fake.contract);
      if (session === undefined) standalone.setFaults(plan);
      else fake.session(session).use({ faults: plan });
      response.json(listed(session));
    })
    .delete((request, response) => {
      const { session } = queryOf(request, ["session"]);
      if (session === undefined) standalone.setFaults(noFaults);
      else if (fake.sessions.names.includes(session)) fake.session(session).use({ faults: undefined });
      response.status(204).end();
    })
    .all(otherMethods);
  return router;
}
