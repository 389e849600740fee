import { describe, expect, test } from 'vitest';
import { type Architecture, seccompProgram } from './seccomp.ts';
import { judgedCalls, newestKnownCall, refusedCalls } from './syscalls.ts';

/** The kernel's machine for such programs, as far as ours use it. */
function decide(program: Buffer, data: { arch: number; call: number; args?: number[] }): string {
  const words = new Map([
    [0, data.call],
    [4, data.arch],
    ...(data.args ?? []).map((value, at) => [16 + 8 * at, value] as const),
  ]);
  let held = 0;
  for (let at = 0; at < program.length / 8; at++) {
    const code = program.readUInt16LE(at * 8);
    const [whenTrue, whenFalse] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    if (code === 0x20) held = words.get(value) ?? 0;
    else if (code === 0x54) held = (held & value) >>> 0;
    else if (code === 0x15) at += held === value ? whenTrue : whenFalse;
    else if (code === 0x25) at += held > value ? whenTrue : whenFalse;
    else if (code === 0x06) return verdicts.get(value) ?? `unknown ${value.toString(16)}`;
    else throw new Error(`unknown instruction ${code.toString(16)}`);
  }
  throw new Error('the program ends without a verdict');
}
const verdicts = new Map([
  [0x7fff0000, 'allowed'],
  [0x80000000, 'killed'],
  [0x50001, 'EPERM'],
  [0x50026, 'ENOSYS'],
]);

const machines = [
  { architecture: 'x64', arch: 0xc000003e, other: 0x40000003, column: 0 },
  { architecture: 'arm64', arch: 0xc00000b7, other: 0x40000028, column: 1 },
] as const satisfies { architecture: Architecture; arch: number; other: number; column: 0 | 1 }[];

/** What Node lives on: read, write, openat, epoll_pwait, futex, execve, exit_group, tgkill, getrandom, sendmsg, recvmsg. */
const vital = {
  x64: [0, 1, 257, 281, 202, 59, 231, 234, 318, 46, 47],
  arm64: [63, 64, 56, 22, 98, 221, 94, 131, 278, 211, 212],
};

describe.each(machines)(
  'the system call filter for $architecture',
  ({ architecture, arch, other, column }) => {
    const program = seccompProgram(architecture);
    const verdict = (call: number, ...args: number[]): string => decide(program, { arch, call, args });

    test('refuses every call of the table', () => {
      for (const [name, numbers] of Object.entries(refusedCalls)) {
        const number = numbers[column];
        if (number !== null) expect([name, verdict(number)]).toEqual([name, 'EPERM']);
      }
    });

    test('allows what Node lives on', () => {
      for (const number of vital[architecture])
        expect([number, verdict(number)]).toEqual([number, 'allowed']);
    });

    test('allows threads, but no processes', () => {
      const clone = judgedCalls.clone[column];
      expect(verdict(clone, 0x003d0f00)).toBe('allowed');
      for (const flags of [0x11, 0x01200011, 0x10000011, 0x4111]) expect(verdict(clone, flags)).toBe('EPERM');
      expect(verdict(judgedCalls.clone3[column])).toBe('ENOSYS');
    });

    test('allows private memory, but none that is shared and unnamed', () => {
      const mmap = judgedCalls.mmap[column];
      const withFlags = (flags: number) => verdict(mmap, 0, 4096, 3, flags);
      expect([0x22, 0x4022, 0x2, 0x1].map(withFlags)).toEqual(['allowed', 'allowed', 'allowed', 'allowed']);
      expect([0x21, 0x4021, 0x23].map(withFlags)).toEqual(['EPERM', 'EPERM', 'EPERM']);
    });

    test('keeps its hands off terminals', () => {
      const ioctl = judgedCalls.ioctl[column];
      expect([0x5412, 0x541c, 0x5421].map((request) => verdict(ioctl, 0, request))).toEqual([
        'EPERM',
        'EPERM',
        'allowed',
      ]);
    });

    test('knows no newer calls, and no other way to number them', () => {
      for (const call of [newestKnownCall + 1, 467, 0x40000000 + 41, 0xffffffff])
        expect(verdict(call)).toBe('ENOSYS');
      expect(decide(program, { arch: other, call: 1 })).toBe('killed');
    });
  },
);
