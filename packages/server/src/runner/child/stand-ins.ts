/**
 * Some of Node's modules hold on to the process they were loaded in and can be in no snapshot. Playwright is given
 * stand-ins for them, which load the real one when a member of it is read. What Playwright reads while it is loaded itself
 * (a class to extend, a function to wrap) is a function that becomes the real one when it is called.
 */
import { startupSnapshot } from 'node:v8';

/** The modules, and the names of their members. */
export type MemberNames = Record<string, string[]>;

type Member = (...args: unknown[]) => unknown;
type Module = Record<string, Member>;

const real = (module: string): Module => process.getBuiltinModule(module) as unknown as Module;

export function standInsFor(names: MemberNames): Record<string, object> {
  const standIn = (module: string, members: string[]): object => {
    const read = (member: string): unknown =>
      startupSnapshot.isBuildingSnapshot() ? later(module, member) : real(module)[member];
    const properties = members.map((member) => [
      member,
      { get: () => read(member), enumerable: true, configurable: true },
    ]);
    return Object.defineProperties({}, Object.fromEntries(properties));
  };
  return Object.fromEntries(
    Object.entries(names).map(([module, members]) => [module, standIn(module, members)]),
  );
}

function later(module: string, member: string): Member {
  let linked = false;
  const meant = (): Member => {
    const it = real(module)[member] as Member;
    if (!linked && it.prototype) {
      // For the classes that extend this one, and `instanceof`.
      Object.setPrototypeOf(standIn.prototype, it.prototype);
      Object.setPrototypeOf(standIn, it);
    }
    linked = true;
    return it;
  };
  const standIn = function (this: unknown, ...args: unknown[]): unknown {
    if (startupSnapshot.isBuildingSnapshot()) throw new Error(`${module}.${member} is not for a snapshot.`);
    const it = meant();
    return new.target
      ? Reflect.construct(it, args, new.target === standIn ? it : new.target)
      : Reflect.apply(it, this, args);
  };
  return standIn;
}
