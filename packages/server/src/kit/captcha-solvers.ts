/** The ways to solve a captcha, in the order of the setting's default: the setting and the API know them by these names. */
export const solverNames = ['wait', 'widget', 'image', 'provider', 'human'] as const;
export type SolverName = (typeof solverNames)[number];
