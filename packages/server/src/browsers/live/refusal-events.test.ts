import { expect, test } from 'vitest';
import { RefusalEvents } from './refusal-events.ts';

const refusal = (host: string) => ({
  url: `https://${host}:443`,
  host,
  port: 443,
  rule: 'not_in_allow_list',
});

function refused(most: number) {
  const told: Record<string, unknown>[] = [];
  return { told, events: new RefusalEvents(most, (data) => told.push(data)) };
}

test('each refusal is told; of a flood the rest is one event with the hosts and their numbers', () => {
  const { told, events } = refused(2);
  for (const host of ['a.example', 'b.example', 'a.example', 'b.example', 'b.example'])
    events.add(refusal(host));
  expect(told).toEqual([refusal('a.example'), refusal('b.example')]);
  events.flush();
  events.flush();
  expect(told.slice(2)).toEqual([
    {
      suppressed: 3,
      hosts: [
        { host: 'b.example', count: 2 },
        { host: 'a.example', count: 1 },
      ],
    },
  ]);
});

test('a page that makes up names without end fills no memory, and all of them are still counted', () => {
  const { told, events } = refused(0);
  for (let n = 0; n < 5000; n++) events.add(refusal(`n${n}.example`));
  events.flush();
  const [{ suppressed, hosts, otherHosts } = {}] = told;
  expect(hosts).toHaveLength(100);
  expect({ suppressed, otherHosts }).toEqual({ suppressed: 5000, otherHosts: 4900 });
});
