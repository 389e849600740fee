/** Several nodes: calls that another node answers, and those that another node has passed on to this one. */
export { closeAnywhere } from './ask-holder.ts';
export { type OtherNodes, type OthersParts, openOtherNodes } from './other-nodes.ts';
export { mayBeElsewhere, type PassingOnParts, passCallsOn } from './pass-calls-on.ts';
