import { expect, test } from '@jest/globals';
import { ORIGIN, runPolicy } from '../../tests/support/policy.js';
import { createApiHeaders, createPageHeaders } from './answers.js';

const LOOPBACK = { exchange: { origin: { ...ORIGIN, host: 'localhost:8080', protocol: 'http' as const } } };

// Threat model: gateway-13.
test('JSON answers have headers against execution, framing, sniffing and cross-site reads', async () => {
  const { response } = await runPolicy(createApiHeaders());
  expect({ ...response.getHeaders() }).toEqual({
    'content-security-policy': "default-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

// Threat model: network-1.
test('requires TLS except on loopback', async () => {
  expect((await runPolicy(createPageHeaders())).response.getHeaders()).toEqual({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
  expect((await runPolicy(createPageHeaders(), LOOPBACK)).response.getHeaders()).toEqual({});
  expect((await runPolicy(createApiHeaders(), LOOPBACK)).response.hasHeader('strict-transport-security')).toBe(false);
});
