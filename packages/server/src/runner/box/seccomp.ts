/**
 * The runner's system call filter, which bubblewrap loads before Node starts.
 *
 *   foreign architecture → kill · refused call → EPERM · unknown newer call → ENOSYS · anything else → allowed
 *
 * Comparisons are followed by their own return, so no jump is longer than a few instructions.
 */
import { type Architecture, assembleFilter, filterStep, type Instruction } from '../../process/process.ts';
import { judgedCalls, newestKnownCall, refusedCalls } from './syscalls.ts';

export type { Architecture } from '../../process/process.ts';

const column: Record<Architecture, 0 | 1> = { x64: 0, arm64: 1 };

const { argument, callNumber, fail, ifEqual, ifGreater, maskWith } = filterStep;
const eperm = 1;
const enosys = 38;

const cloneThread = 0x00010000;
const mapSharedAnonymous = 0x21; // MAP_SHARED | MAP_ANONYMOUS: memory that RLIMIT_DATA does not count
const terminalInput = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX

/** Runs `judge` for one call only; afterwards the call number is loaded again for the next rule. */
const forCall = (number: number, judge: readonly Instruction[]): Instruction[] => [
  ifEqual(number, 0, judge.length + 1),
  ...judge,
  callNumber,
];

export function seccompProgram(architecture: Architecture): Buffer {
  const of = (numbers: readonly [number | null, number | null]): number[] => {
    const number = numbers[column[architecture]];
    return number === null ? [] : [number];
  };
  const [clone = 0] = of(judgedCalls.clone);
  const [clone3 = 0] = of(judgedCalls.clone3);
  const [mmap = 0] = of(judgedCalls.mmap);
  const [ioctl = 0] = of(judgedCalls.ioctl);
  return assembleFilter([
    filterStep.architecture,
    filterStep.ifArchitecture(architecture, 1, 0),
    filterStep.killProcess,
    callNumber,
    // Above the known calls lies on x64 also the x32 family, which would reach every call by another number.
    ifGreater(newestKnownCall, 0, 1),
    fail(enosys),
    // Its flags lie in memory, out of the filter's sight; the C library falls back to clone.
    ifEqual(clone3, 0, 1),
    fail(enosys),
    ...Object.values(refusedCalls)
      .flatMap(of)
      .flatMap((number) => [ifEqual(number, 0, 1), fail(eperm)]),
    // Threads yes, processes no.
    ...forCall(clone, [argument(0), maskWith(cloneThread), ifEqual(0, 0, 1), fail(eperm)]),
    ...forCall(mmap, [
      argument(3),
      maskWith(mapSharedAnonymous),
      ifEqual(mapSharedAnonymous, 0, 1),
      fail(eperm),
    ]),
    ...forCall(ioctl, [
      argument(1),
      ...terminalInput.flatMap((request) => [ifEqual(request, 0, 1), fail(eperm)]),
    ]),
    filterStep.allow,
  ]);
}
