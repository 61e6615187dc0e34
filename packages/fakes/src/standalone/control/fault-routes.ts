// The fault plan of a fake over HTTP, in the form of fault files.
import { Router } from "express";
import { faultPresets } from "../../faults/fault-presets.ts";
import { noFaults } from "../../faults/fault-plan.ts";
import { parseFaultPlan } from "../../faults/read-fault-plan.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { bodyOf, textIn } from "./body.ts";
import { faultText } from "./fault-text.ts";

/** The name of the text in error messages. */
const textName = "faults";

/** `GET /faults` returns the plan as `{ "rules": COUNT, "text": …, "presets": NAMES }`; `PUT /faults` sets it from `{ "text": … }`; `DELETE /faults` removes it. */
export function faultRoutes(standalone: StandaloneFake): Router {
  const router = Router();
  const listed = (): object => {
    const { faults } = standalone.fake.options;
    const rules = faults.faults.length + faults.latencies.length;
    return { rules, text: faultText(faults), presets: Object.keys(faultPresets) };
  };
  router.get("/faults", (_request, response) => void response.json(listed()));
  router.put("/faults", async (request, response) => {
    const text = textIn(bodyOf(request, ["text"]), "text");
    standalone.setFaults(await parseFaultPlan(text, textName, standalone.fake.contract));
    response.json(listed());
  });
  router.delete("/faults", (_request, response) => {
    standalone.setFaults(noFaults);
    response.status(204).end();
  });
  return router;
}
