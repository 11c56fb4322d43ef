import { createHmac } from 'node:crypto';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import { traceOwner, traceToSeal, type DataKeys } from '@najwa/product';
import type { SealedTrace, SenderTrace } from '@najwa/proto/events';
import type { MessageRecord } from './message-record.js';

export interface KnownSender {
  account: number | null;
  /** From the cookie. Null for accounts without one, and after retention. */
  visitor: string | null;
}

/** Recognise a sender site-wide, under a key outside the database. */
export interface SiteTags {
  account: string | null;
  visitor: string | null;
}

/** Binds a sealed sender to its message. */
export type SealedMessage = Pick<MessageRecord, 'submission' | 'createdAt'>;

const TAG_LENGTH = 22;
const SEALED_LENGTH = 64;

const ownerOf = ({ submission }: Pick<MessageRecord, 'submission'>): string => `sender of ${submission.key}`;

const tag = (secret: Buffer, ...parts: (string | number)[]): string =>
  createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_LENGTH);

const tagsUnder = (secret: Buffer, { account, visitor }: KnownSender): SiteTags => ({
  account: account === null ? null : tag(secret, 'account', account),
  visitor: visitor === null ? null : tag(secret, 'visitor', visitor),
});

export class SenderVault {
  readonly #dataKeys;
  readonly #secrets;
  readonly #current;

  /** @param keys MODERATION_KEYS. The first makes tags. */
  constructor(keys: readonly Buffer[], dataKeys: DataKeys) {
    this.#dataKeys = dataKeys;
    this.#secrets = keys.map((key) => createHmac('sha256', key).update('najwa sender tags').digest());
    const [current] = this.#secrets;
    if (current === undefined) throw new Error('There is no key for moderation.');
    this.#current = current;
  }

  identify({ user, visitorId, visitorByAddress }: Identity, salts: string[]): KnownSender {
    if (!visitorByAddress) return { account: user?.id ?? null, visitor: visitorId };
    // Without a cookie, shared address and browser identify a visitor for at most a day, and no account.
    return user === null
      ? { account: null, visitor: tag(this.#current, visitorId, ...salts) }
      : { account: user.id, visitor: null };
  }
  /** Tag under which sent messages are stored and counted. */
  async tagOf(userId: number): Promise<string> {
    return (await this.#dataKeys.permanentKey()).tag('sender', userId);
  }
  async keysOf(userId: number): Promise<[string, number]> {
    return [await this.tagOf(userId), userId];
  }
  /** @returns padded to one length for every sender; null after retention */
  async seal({ account, visitor }: KnownSender, message: SealedMessage): Promise<string | null> {
    const secret = Buffer.from(JSON.stringify([account, visitor]).padEnd(SEALED_LENGTH));
    return this.#dataKeys.seal(secret, ownerOf(message), message.createdAt);
  }
  /** Empty after retention. */
  async senderOf(message: Pick<MessageRecord, 'sealedSender' | 'submission'>): Promise<KnownSender> {
    const { sealedSender } = message;
    const opened = sealedSender ? await this.#dataKeys.open(sealedSender, ownerOf(message)) : null;
    if (opened === null) return { account: null, visitor: null };
    const [account, visitor] = JSON.parse(opened.toString()) as [number | null, string | null];
    return { account, visitor };
  }
  async sealTrace(trace: SenderTrace, { id, createdAt }: MessageRecord): Promise<SealedTrace> {
    const sealedSender = await this.#dataKeys.sealEnvelope(traceToSeal(trace), traceOwner(id), createdAt);
    if (sealedSender === null) throw new Error('The retention of a new message is over.');
    return sealedSender;
  }
  /** Under the current key. */
  tagsOf(sender: KnownSender): SiteTags {
    return tagsUnder(this.#current, sender);
  }
  /** Under every key, so that rotation ends no suspension. */
  allTagsOf(sender: KnownSender): string[] {
    return this.#secrets.flatMap((secret) => {
      const { account, visitor } = tagsUnder(secret, sender);
      return [account, visitor].filter((known) => known !== null);
    });
  }
  /** Distinguishes reporters: accounts, and networks of visitors, because cookies are easily replaced. */
  reporterTag({ user, ip }: Identity): string {
    return user === null ? tag(this.#current, 'network', clientNetwork(ip)) : tag(this.#current, 'reporter', user.id);
  }
}
