import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

export interface PushAnswer {
  status: number;
  body?: string;
  /** `Retry-After`. */
  retryAfter?: string;
  delayMs?: number;
  /** Delays the answer. */
  heldUntil?: Promise<unknown>;
}

export interface ReceivedPush {
  /** Decrypted. */
  payload: string;
  headers: IncomingHttpHeaders;
  status: number;
  at: number;
}

export interface StandInBrowser {
  /** `PushSubscription.toJSON()`. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  received: ReceivedPush[];
  /** In order, then 201. */
  answers: PushAnswer[];
}

/** Stands in for browsers' push services: decrypts, and checks signatures. */
export interface StandInPushService {
  /** For `PUSH_TRUSTED_ORIGINS`. */
  origin: string;
  newBrowser(...answers: PushAnswer[]): StandInBrowser;
  /** Unanswered requests, now and at most. */
  underWay: { now: number; most: number };
  close(): Promise<void>;
}

const UNCOMPRESSED_POINT = 65;

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** `aes128gcm` (RFC 8291). @throws if not encrypted for this browser */
function decryptPush(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const secret = derive(browser.computeSecret(sender), auth, info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
  const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return text.subarray(0, text.lastIndexOf(2)).toString();
}

/** Signed by the named key for this push service (RFC 8292). */
function isSigned(authorization: string | undefined, origin: string): boolean {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization ?? '') ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  if (point.length !== UNCOMPRESSED_POINT) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string; exp: number };
  const signed = Buffer.from(`${header}.${claims}`);
  const isValid = verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  return isValid && aud === origin && exp * 1000 > Date.now();
}

/** @param port free by default */
export async function startPushService(port = 0): Promise<StandInPushService> {
  const browsers = new Map<string, (body: Buffer, headers: IncomingHttpHeaders) => PushAnswer>();
  const underWay = { now: 0, most: 0 };
  let origin = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    response.on('close', () => (underWay.now -= 1));
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const receive = browsers.get(request.url ?? '');
      const isAllowed = request.method === 'POST' && isSigned(request.headers.authorization, origin);
      const {
        status,
        body,
        retryAfter,
        delayMs = 0,
        heldUntil,
      }: PushAnswer = isAllowed
        ? (receive?.(Buffer.concat(chunks), request.headers) ?? { status: 404 })
        : { status: 403 };
      void Promise.all([wait(delayMs, undefined, { ref: false }), heldUntil]).then(() => {
        response.writeHead(status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter }).end(body);
      });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    underWay,
    newBrowser(...answers) {
      const path = `/push/${randomUUID()}`;
      const ecdh = createECDH('prime256v1');
      ecdh.generateKeys();
      const auth = randomBytes(16);
      const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
      const browser: StandInBrowser = { subscription: { endpoint: `${origin}${path}`, keys }, received: [], answers };
      browsers.set(path, (body, headers) => {
        const answer = browser.answers.shift() ?? { status: 201 };
        const payload = decryptPush(body, ecdh, auth);
        browser.received.push({ payload, headers, status: answer.status, at: Date.now() });
        return answer;
      });
      return browser;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
