import { createECDH } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import webPush from 'web-push';
import { createPublicLookup, ForbiddenAddressError } from './public-names.js';

export interface BrowserSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface PushMessage {
  payload: string;
  /** Seconds that the push service keeps it for an absent browser. */
  ttl: number;
  /** Replaces a waiting message of the same topic. At most 32 characters. */
  topic: string;
}

/**
 * `gone`: the subscription ended. `refused`: permanent. `busy`: retry, not before `retryAfterMs`. `silent`: retry,
 * nothing answered.
 */
export type PushOutcome =
  | { kind: 'delivered' | 'gone' | 'refused' | 'silent' }
  | { kind: 'busy'; retryAfterMs: number | null };

export interface PushServicesOptions {
  /** P-256. Browsers get the first's public key; the others serve older subscriptions. */
  keys: readonly Buffer[];
  /** `mailto:` or `https:`, for operators of push services. */
  contact: string;
  /** Exempt from address rules and TLS. */
  trustedOrigins: readonly string[];
  /** Per host. */
  maxSockets: number;
}

interface PushAnswer {
  status: number;
  retryAfter: string | undefined;
  /** Truncated. */
  body: string;
}

const CURVE = 'prime256v1';
const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 16 * 1024;

const bytesOf = (key: string): Buffer => Buffer.from(key, 'base64url');

function readKey(privateKey: Buffer): { publicKey: string; privateKey: string } {
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(privateKey);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/** Seconds or a date. */
function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const at = /^\d{1,9}$/.test(header) ? now + Number(header) * 1000 : Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** Subscribed with another key. Apple reports this as 400 with a reason. */
const isOfAnotherKey = ({ status, body }: PushAnswer): boolean =>
  status === 401 || status === 403 || (status === 400 && body.includes('VapidPkHashMismatch'));

function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500) return { kind: 'busy', retryAfterMs: readRetryAfter(retryAfter, Date.now()) };
  return { kind: 'refused' };
}

/** Browsers name their push service, so endpoints are untrusted input. */
export class PushServices {
  readonly publicKey: string;
  readonly #contact;
  readonly #pairs;
  readonly #trusted;
  readonly #agents;
  readonly #ecdh = createECDH(CURVE);

  constructor({ keys, contact, trustedOrigins, maxSockets }: PushServicesOptions) {
    this.#contact = contact;
    this.#pairs = keys.map(readKey);
    const [current] = this.#pairs;
    if (current === undefined) throw new Error('There is no key for push services.');
    this.#trusted = new Set(trustedOrigins);
    this.#agents = {
      public: new https.Agent({ keepAlive: true, maxSockets, lookup: createPublicLookup() }),
      trusted: new https.Agent({ keepAlive: true, maxSockets }),
      plain: new http.Agent({ keepAlive: true, maxSockets }),
    };
    this.#ecdh.generateKeys();
    this.publicKey = current.publicKey;
  }

  /** Null unless allowed. */
  hostOf(endpoint: string): string | null {
    if (!URL.canParse(endpoint)) return null;
    const { origin, protocol, hostname, host, port, username, password } = new URL(endpoint);
    if (this.#trusted.has(origin)) return host;
    const isName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname);
    return protocol === 'https:' && port === '' && isName && username === '' && password === '' ? host : null;
  }
  /** Whether it is a point on the curve. */
  isKey(p256dh: string): boolean {
    try {
      return this.#ecdh.computeSecret(bytesOf(p256dh)).length > 0;
    } catch {
      return false;
    }
  }
  async send(subscription: BrowserSubscription, { payload, ttl, topic }: PushMessage): Promise<PushOutcome> {
    if (this.hostOf(subscription.endpoint) === null) return { kind: 'gone' };
    let outcome: PushOutcome = { kind: 'refused' };
    for (const pair of this.#pairs) {
      const { headers, body } = webPush.generateRequestDetails(subscription, payload, {
        vapidDetails: { subject: this.#contact, ...pair },
        TTL: ttl,
        urgency: 'normal',
        topic,
        contentEncoding: 'aes128gcm',
      });
      try {
        const answer = await this.#post(subscription.endpoint, { headers, body });
        outcome = outcomeOf(answer.status, answer.retryAfter);
        if (!isOfAnotherKey(answer)) return outcome;
      } catch (error) {
        return error instanceof ForbiddenAddressError ? { kind: 'gone' } : { kind: 'silent' };
      }
    }
    return outcome;
  }
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #post(endpoint: string, { headers, body }: { headers: http.OutgoingHttpHeaders; body: Buffer }) {
    return new Promise<PushAnswer>((done, fail) => {
      const { origin, protocol } = new URL(endpoint);
      const isPlain = protocol === 'http:';
      const secure = this.#trusted.has(origin) ? this.#agents.trusted : this.#agents.public;
      const agent = isPlain ? this.#agents.plain : secure;
      const options = { method: 'POST', headers, agent, signal: AbortSignal.timeout(TIMEOUT_MS) };
      const request = (isPlain ? http : https).request(endpoint, options, (response) => {
        let body = '';
        response.setEncoding('latin1');
        response.on('data', (chunk: string) => {
          body += chunk;
          if (body.length > MAX_ANSWER_BYTES) response.destroy();
        });
        response.on('error', () => undefined);
        response.on('close', () => {
          done({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body });
        });
      });
      request.on('error', fail);
      request.end(body);
    });
  }
}
