/** The ways to solve a captcha. Each is a value that is tried in the configured order. */
export { humanSolver, type Invitation, type Invite } from './human.ts';
export { imageSolver } from './image.ts';
export { Ocr } from './ocr.ts';
export { providerSolver } from './provider.ts';
export { ProviderClient, type ProviderSettings } from './provider-client.ts';
export { waitSolver } from './wait.ts';
export { widgetSolver } from './widget.ts';
