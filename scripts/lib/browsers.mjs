/**
 * Sees to it that a Chromium (needed), bubblewrap and fonts (wished for) are on this machine. Needs a Node that reads
 * TypeScript, because it asks the service's own search for Chromium. Ends at once when all is there.
 */
import { resolve } from 'node:path';
import { carryOut, failedLately, rememberFailure } from './install.mjs';
import { adviceFor, installPlan } from './install-plan.mjs';
import { gatherFacts, quickFacts } from './machine-facts.mjs';
import { Problem } from './program.mjs';

export async function ensureBrowsers() {
  const found = await quickFacts();
  if (found.chromium && ((found.bubblewrap && found.fonts) || failedLately())) return;

  if (!found.chromium && found.chromiumPath)
    throw new Problem(
      `BROWSERD_CHROMIUM_PATH is ${resolve(found.chromiumPath)}, but there is no program that could be run.\n` +
        'Correct the path, or unset the variable to let browserd search.',
    );

  const facts = await gatherFacts(found);
  for (const step of installPlan(facts)) {
    const now = await quickFacts();
    if (!now[step.gives]) await carryOut(step, facts);
  }

  const now = await quickFacts();
  if (now.chromium) {
    if (!now.bubblewrap || !now.fonts) rememberFailure(now, facts);
    return;
  }
  throw new Problem(
    `No Chromium was found and none could be installed.\n\nInstall one, then run the same command again:\n\n    ${adviceFor(facts)}\n\n` +
      `or name one with BROWSERD_CHROMIUM_PATH=/path/to/chromium. Searched:\n${now.searched.map((place) => `  ${place}`).join('\n')}`,
  );
}
