/** A job on any page: its title, its status, how far it is, and the actions that its status allows. */
export { JobActions } from './job-actions.tsx';
export { isActive, titleOf } from './job-facts.ts';
export { JobProgress } from './job-progress.tsx';
export { JobStatus } from './job-status.tsx';
