import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { CALLERS_BY_PATH } from '@najwa/common/grpc';
import { sizes } from '@najwa/dev/bootstrap/smoke';
import { GRPC_SERVICES, type GrpcService, type ServiceName } from '@najwa/proto/http/client';
import type { TestSystem } from '@najwa/testing';
import { PATIENCE_MS, type Judge } from './judge.js';
import { mutate, type Random } from './random.js';

/** gRPC's OK, and what a server may answer to bytes that are no message of it. */
const UNAUTHENTICATED = 16;
const INTERNAL = 13;
const UNKNOWN = 2;

const frame = (message: Buffer, length = message.length, compressed = 0): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = compressed;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
};

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(content.length)]), content]);

/** Well-formed with unusual values, or not a message. */
function strangeMessage(random: Random): Buffer {
  const { below, bytes, pick } = random;
  const fields = Array.from({ length: 1 + below(5) }, () =>
    pick([
      () => field(1 + below(6), bytes(below(80))),
      () => field(1 + below(6), Buffer.from('ab-'.repeat(12))),
      () => field(1 + below(6), Buffer.alloc(below(200_000), 97)),
      () => field(1_000 + below(1_000), bytes(20)),
      () => Buffer.from([...varint((1 + below(6)) * 8), ...Array.from({ length: 9 }, () => 255), 1]),
      () => Buffer.from([...varint((1 + below(6)) * 8 + below(8)), ...bytes(12)]),
    ])(),
  );
  const message = Buffer.concat(fields);
  return pick([
    () => frame(message),
    () => frame(message),
    () => frame(mutate(message, random)),
    () => frame(bytes(below(500))),
    () => mutate(frame(message), random),
    () => frame(message, 2 ** 32 - 1),
    () => frame(message, message.length, 1),
    () => Buffer.concat(Array.from({ length: 20 }, () => frame(message))),
    () => Buffer.alloc(0),
  ])();
}

/** Sends the bytes. @returns gRPC's status, or another word for how the call ended */
function send(session: ClientHttp2Session, path: string, token: string | undefined, bytes: Buffer) {
  return new Promise<{ outcome: string; details: string }>((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(token !== undefined && { 'najwa-service-token': token }),
    });
    const answer: IncomingHttpHeaders = {};
    stream.on('response', (headers) => void Object.assign(answer, headers));
    stream.on('trailers', (trailers) => void Object.assign(answer, trailers));
    stream.on('error', () => undefined);
    stream.setTimeout(PATIENCE_MS, () => {
      answer['grpc-status'] = 'hangs';
      stream.close();
    });
    stream.on('close', () =>
      resolve({
        outcome: String(answer['grpc-status'] ?? `closed ${stream.rstCode}`),
        details: decodeURIComponent(String(answer['grpc-message'] ?? '')),
      }),
    );
    stream.resume();
    stream.end(bytes);
  });
}

const AT_ONCE = sizes({ full: 16, smoke: 2 });

export interface GrpcOptions {
  system: TestSystem;
  judge: Judge;
  random: Random;
  until: number;
  signal: AbortSignal;
}

/** Strange bytes to every method: as a permitted caller, as another service and anonymously. */
export async function sendGrpc({ system, judge, random, until, signal }: GrpcOptions): Promise<void> {
  const paths = [...CALLERS_BY_PATH];
  const portOf = (path: string): GrpcService => {
    const service = GRPC_SERVICES.find((name) => path.startsWith(`/najwa.${name}.`));
    if (service === undefined) throw new Error(`No service serves ${path}.`);
    return service;
  };
  const sessions = new Map<GrpcService, ClientHttp2Session>();
  const sessionOf = (service: GrpcService): ClientHttp2Session => {
    const known = sessions.get(service);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(`http://${system.grpcOf(service)}`);
    session.on('error', () => undefined);
    sessions.set(service, session);
    return session;
  };
  const work = async (): Promise<void> => {
    do {
      const [path, callers] = random.pick(paths);
      const caller = random.pick<string | undefined>([...callers, ...callers, 'tracking', undefined]);
      const token = caller && (await system.callerOf(caller as ServiceName).tokenFor(path.split('/')[1] ?? ''));
      const { outcome, details } = await send(sessionOf(portOf(path)), path, token, strangeMessage(random));
      judge.count('gRPC', path, `status ${outcome}`);
      if (outcome === 'hangs') judge.fault(`${path}: no answer in ${PATIENCE_MS / 1000} seconds`);
      if (outcome === '0' && !callers.includes(caller ?? '')) judge.fault(`${path}: answers ${caller ?? 'nobody'}`);
      if (Number(outcome) === UNAUTHENTICATED && callers.includes(caller ?? ''))
        judge.fault(`${path}: refuses ${caller}`);
      if ([INTERNAL, UNKNOWN].includes(Number(outcome))) judge.fault(`${path}: status ${outcome}`, details);
    } while (performance.now() < until && !signal.aborted);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const session of sessions.values()) session.destroy();
}
