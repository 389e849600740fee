import { expect, test } from 'vitest';
import { deviceNamed, deviceNames, identityOf } from './devices.ts';

test.each(deviceNames)('what %s says of itself fits together', (name) => {
  const { userAgent, userAgentMetadata } = identityOf(name, '150.0.7871.100');
  const { touchPoints, mobile } = deviceNamed(name);
  expect(touchPoints > 0).toBe(mobile);
  expect(userAgent).not.toContain('Headless');
  expect(userAgent.includes('Chrome/150.0.0.0')).toBe(userAgentMetadata !== undefined);
  if (!userAgentMetadata) return;
  expect(userAgentMetadata.mobile).toBe(userAgent.includes('Mobile'));
  expect(userAgentMetadata.brands).toContainEqual({ brand: 'Chromium', version: '150' });
  expect(userAgentMetadata.fullVersionList).toContainEqual({ brand: 'Chromium', version: '150.0.7871.100' });
});
