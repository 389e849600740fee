/**
 * The runner's system call filter: a classic BPF program, assembled here, that bubblewrap loads before Node starts.
 *
 *   foreign architecture → kill · refused call → EPERM · unknown newer call → ENOSYS · anything else → allowed
 *
 * It works on `struct seccomp_data`: call number at 0, architecture at 4, arguments of 8 bytes each from 16.
 * Comparisons are followed by their own return, so no jump is longer than a few instructions.
 */
import { judgedCalls, newestKnownCall, refusedCalls } from './syscalls.ts';

export type Architecture = 'x64' | 'arm64';

const auditArchitecture: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
const column: Record<Architecture, 0 | 1> = { x64: 0, arm64: 1 };

const loadWord = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpIfGreater = 0x25; // BPF_JMP | BPF_JGT | BPF_K
const maskWith = 0x54; // BPF_ALU | BPF_AND | BPF_K
const giveBack = 0x06; // BPF_RET | BPF_K

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const fail = (errno: number): number => 0x00050000 | errno;
const eperm = 1;
const enosys = 38;

const cloneThread = 0x00010000;
const mapSharedAnonymous = 0x21; // MAP_SHARED | MAP_ANONYMOUS: memory that RLIMIT_DATA does not count
const terminalInput = [0x5412, 0x541c]; // TIOCSTI, TIOCLINUX

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];
const step = (code: number, value: number, whenTrue = 0, whenFalse = 0): Instruction => [
  code,
  whenTrue,
  whenFalse,
  value,
];

const returning = (value: number): Instruction => step(giveBack, value);
const callNumber = step(loadWord, 0);
/** The low half of an argument; both architectures are little-endian. */
const argument = (index: number): Instruction => step(loadWord, 16 + 8 * index);

/** Runs `judge` for one call only; afterwards the call number is loaded again for the next rule. */
const forCall = (number: number, judge: readonly Instruction[]): Instruction[] => [
  step(jumpIfEqual, number, 0, judge.length + 1),
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
  const program: Instruction[] = [
    step(loadWord, 4),
    step(jumpIfEqual, auditArchitecture[architecture], 1, 0),
    returning(killProcess),
    callNumber,
    // Above the known calls lies on x64 also the x32 family, which would reach every call by another number.
    step(jumpIfGreater, newestKnownCall, 0, 1),
    returning(fail(enosys)),
    // Its flags lie in memory, out of the filter's sight; the C library falls back to clone.
    step(jumpIfEqual, clone3, 0, 1),
    returning(fail(enosys)),
    ...Object.values(refusedCalls)
      .flatMap(of)
      .flatMap((number) => [step(jumpIfEqual, number, 0, 1), returning(fail(eperm))]),
    // Threads yes, processes no.
    ...forCall(clone, [
      argument(0),
      step(maskWith, cloneThread),
      step(jumpIfEqual, 0, 0, 1),
      returning(fail(eperm)),
    ]),
    ...forCall(mmap, [
      argument(3),
      step(maskWith, mapSharedAnonymous),
      step(jumpIfEqual, mapSharedAnonymous, 0, 1),
      returning(fail(eperm)),
    ]),
    ...forCall(ioctl, [
      argument(1),
      ...terminalInput.flatMap((request) => [step(jumpIfEqual, request, 0, 1), returning(fail(eperm))]),
    ]),
    returning(allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, whenTrue, whenFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
