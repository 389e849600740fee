/** What one scrape may cost, whatever the page is made of: beyond this it is cut, and says so. */
const mostNodes = 150_000;
const mostChars = 4_000_000;

/** Deeper than any page a person wrote. Below, only the text is kept, so that nothing after this needs a deep stack. */
export const deepest = 300;

export interface Budget {
  nodes: number;
  chars: number;
  /** Something was left out. */
  cut: boolean;
  readonly deadline: number;
}

export const newBudget = (ms: number): Budget => ({
  nodes: mostNodes,
  chars: mostChars,
  cut: false,
  deadline: performance.now() + ms,
});

/** Takes a node from the budget; false when there is none left. The clock is looked at now and then only. */
export function spendNode(budget: Budget): boolean {
  budget.nodes--;
  if (budget.nodes % 1024 === 0 && performance.now() > budget.deadline) budget.nodes = 0;
  if (budget.nodes <= 0) budget.cut = true;
  return budget.nodes > 0;
}

/** As much of the text as the budget has room for. */
export function spendText(budget: Budget, text: string): string {
  const kept = text.length <= budget.chars ? text : text.slice(0, budget.chars);
  if (kept.length < text.length) budget.cut = true;
  budget.chars -= kept.length;
  return kept;
}
