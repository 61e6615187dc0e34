// The fault plan of a fake, over HTTP, in the form of fault files.
import { Router } from "express";
import { faultPresets } from "../../faults/fault-presets.ts";
import { noFaults } from "../../faults/fault-plan.ts";
import { parseFaultPlan } from "../../faults/read-fault-plan.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { bodyOf, textIn } from "./body.ts";
import { faultText } from "./fault-text.ts";

/** What the text is called in messages about it. */
const textName = "faults";

/** `GET /faults` gives the plan as `{ "rules": how many, "text": …, "presets": names }`; `PUT /faults` takes that of `{ "text": … }`, `DELETE /faults` none. */
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
