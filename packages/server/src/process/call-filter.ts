/**
 * What filters for system calls are made of: classic BPF, assembled here, that bubblewrap loads into a box. Which calls a box
 * may make is decided by the room that builds it.
 *
 * A program works on `struct seccomp_data`: call number at 0, architecture at 4, arguments of 8 bytes each from 16.
 */
export type Architecture = 'x64' | 'arm64';

const loadWord = 0x20; // BPF_LD | BPF_W | BPF_ABS
const jumpIfEqual = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const jumpIfGreater = 0x25; // BPF_JMP | BPF_JGT | BPF_K
const mask = 0x54; // BPF_ALU | BPF_AND | BPF_K
const giveBack = 0x06; // BPF_RET | BPF_K

export type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];
const step = (code: number, value: number, whenTrue = 0, whenFalse = 0): Instruction => [
  code,
  whenTrue,
  whenFalse,
  value,
];

const auditArchitecture: Record<Architecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

export const filterStep = {
  architecture: step(loadWord, 4),
  callNumber: step(loadWord, 0),
  /** The low half of an argument; both architectures are little-endian. */
  argument: (index: number): Instruction => step(loadWord, 16 + 8 * index),
  maskWith: (bits: number): Instruction => step(mask, bits),
  /** How many instructions to skip when what was loaded is equal, and when it is not. */
  ifEqual: (value: number, equal: number, other: number): Instruction =>
    step(jumpIfEqual, value, equal, other),
  ifGreater: (value: number, greater: number, other: number): Instruction =>
    step(jumpIfGreater, value, greater, other),
  ifArchitecture: (wanted: Architecture, equal: number, other: number): Instruction =>
    step(jumpIfEqual, auditArchitecture[wanted], equal, other),
  allow: step(giveBack, 0x7fff0000),
  killProcess: step(giveBack, 0x80000000),
  fail: (errno: number): Instruction => step(giveBack, 0x00050000 | errno),
} as const;

/** The bytes that bubblewrap takes. */
export function assembleFilter(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, whenTrue, whenFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whenTrue, index * 8 + 2);
    bytes.writeUInt8(whenFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
