// Long run: a collector of traces and all logs.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBed, type TestBed } from '@najwa/testing';

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: Attribute[];
}

interface Export {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
}

/** Received spans, each with the name of its service. */
let spans: (Span & { service: string })[];
let received: string;
let collector: Server;
let bed: TestBed;
let lines: string[];

beforeAll(async () => {
  spans = [];
  lines = [];
  received = '';
  collector = createServer((request, response) => {
    void json(request).then((body) => {
      received += JSON.stringify(body);
      for (const { resource, scopeSpans } of (body as Export).resourceSpans) {
        const service = String(resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue']);
        for (const span of scopeSpans.flatMap((scope) => scope.spans)) spans.push({ ...span, service });
      }
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  bed = await startTestBed({
    services: ['auth', 'tracking', 'messages', 'gateway'],
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_TRACES_SAMPLER_ARG: '1',
      LOG_LEVEL: 'debug',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    onLogLine: (line) => lines.push(line),
  });
});

afterAll(async () => {
  await bed.stop();
  await new Promise((resolve) => collector.close(resolve));
});

const CLAIMED = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

// Threat model: logs-2, http-4, grpc-5, metrics-1.
test('one trace leads from the gateway to the last consumer, and reveals nothing about people', async () => {
  const owner = await bed.newAccount();
  const response = await fetch(`${bed.url('gateway')}/api/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-requested-with': 'fetch',
      'user-agent': 'a-telling-browser',
      traceparent: `00-${CLAIMED}-bbbbbbbbbbbbbbbb-01`,
    },
    body: JSON.stringify({ userId: owner.id, content: 'a very private text' }),
  });
  expect(response.status).toBe(201);
  const traceId = response.headers.get('x-request-id')?.replaceAll('-', '');
  const ofRequest = () => spans.filter((span) => span.traceId === traceId);
  await bed.eventually(() => {
    expect(ofRequest().map(({ service }) => service)).toEqual(
      expect.arrayContaining(['gateway', 'messages', 'auth', 'tracking']),
    );
    expect(ofRequest().map(({ name }) => name)).toContain('process message.created');
  });

  const byId = new Map(ofRequest().map((span) => [span.spanId, span]));
  const wayOf = (span: Span & { service: string }): string[] => {
    const parent = byId.get(span.parentSpanId ?? '');
    return [...(parent ? wayOf(parent) : []), `${span.service}: ${span.name}`];
  };
  const consumed = ofRequest().find(({ service, name }) => service === 'tracking' && name.startsWith('process'));
  expect(consumed && wayOf(consumed)).toEqual([
    'gateway: createMessage',
    'gateway: messages',
    'messages: createMessage',
    'messages: publish message.created',
    'tracking: process message.created',
  ]);
  expect(ofRequest().map(({ name }) => name)).toContain('/najwa.auth.v1.AuthService/GetUsers');

  expect(spans.map((span) => span.traceId)).not.toContain(CLAIMED);
  for (const secret of [owner.username, owner.token, 'private', 'telling', '127.0.0.1', '?', 'http://'])
    expect(received).not.toContain(secret);
});

// Threat model: logs-2, metrics-1.
test('a way back, and the address of who sends and opens it, are in no span and no log line', async () => {
  const address = '203.0.113.77';
  const call = (method: string, path: string, body?: object) =>
    fetch(`${bed.url('gateway')}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-requested-with': 'fetch', 'x-forwarded-for': address },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const owner = await bed.newAccount();
  const sent = await call('POST', '/api/messages', { userId: owner.id, content: 'a very private text' });
  const { wayBack } = (await sent.json()) as { wayBack: string };
  const token = wayBack.slice('/r/'.length);
  const ofApi = `/api/ways-back/${token}`;
  // No web server here, which is logged. Others are refused at different steps.
  for (const path of [wayBack, ofApi, `${ofApi}/audio`, `${ofApi}/events`, `${ofApi}x`, `${ofApi}//`, `/API${ofApi}`])
    await (await call('GET', path)).body?.cancel();
  const removed = await call('DELETE', ofApi);
  expect(removed.status).toBe(204);
  const requestId = removed.headers.get('x-request-id') ?? '';
  await bed.eventually(() => {
    expect(lines.filter((line) => line.includes(requestId))).not.toEqual([]);
    expect(spans.filter(({ traceId }) => traceId === requestId.replaceAll('-', ''))).not.toEqual([]);
  });
  for (const secret of [token, address]) {
    expect(received).not.toContain(secret);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  }
});

// Threat model: http-5.
test('log lines of a traced request have its trace id', async () => {
  const response = await fetch(`${bed.url('gateway')}/api/users/nobody-here`);
  const requestId = response.headers.get('x-request-id');
  await bed.eventually(() =>
    expect(lines.find((line) => line.includes(`"requestId":"${requestId}"`))).toContain(
      `"traceId":"${requestId?.replaceAll('-', '')}"`,
    ),
  );
});
