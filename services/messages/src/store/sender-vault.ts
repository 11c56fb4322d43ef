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

export interface SenderVault {
  identify(sender: Identity, salts: string[]): KnownSender;
  /** Tag under which sent messages are stored and counted. */
  tagOf(userId: number): Promise<string>;
  keysOf(userId: number): Promise<[string, number]>;
  /** @returns padded to one length for every sender; null after retention */
  seal(sender: KnownSender, message: SealedMessage): Promise<string | null>;
  /** Empty after retention. */
  senderOf(message: Pick<MessageRecord, 'sealedSender' | 'submission'>): Promise<KnownSender>;
  sealTrace(trace: SenderTrace, message: MessageRecord): Promise<SealedTrace>;
  /** Under the current key. */
  tagsOf(sender: KnownSender): SiteTags;
  /** Under every key, so that rotation ends no suspension. */
  allTagsOf(sender: KnownSender): string[];
  /** Distinguishes reporters: accounts, and networks of visitors, because cookies are easily replaced. */
  reporterTag(reporter: Identity): string;
}

/** Binds a sealed sender to its message. */
export type SealedMessage = Pick<MessageRecord, 'submission' | 'createdAt'>;

interface SenderVaultOptions {
  /** MODERATION_KEYS. The first makes tags. */
  keys: readonly Buffer[];
  dataKeys: DataKeys;
}

const TAG_LENGTH = 22;
const SEALED_LENGTH = 64;

const ownerOf = ({ submission }: Pick<MessageRecord, 'submission'>): string => `sender of ${submission.key}`;

export function createSenderVault({ keys, dataKeys }: SenderVaultOptions): SenderVault {
  const secrets = keys.map((key) => createHmac('sha256', key).update('najwa sender tags').digest());
  const [current] = secrets;
  if (current === undefined) throw new Error('There is no key for moderation.');
  const tag = (secret: Buffer, ...parts: (string | number)[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_LENGTH);
  const tagOf = async (userId: number): Promise<string> => (await dataKeys.permanentKey()).tag('sender', userId);
  const tagsUnder = (secret: Buffer, { account, visitor }: KnownSender): SiteTags => ({
    account: account === null ? null : tag(secret, 'account', account),
    visitor: visitor === null ? null : tag(secret, 'visitor', visitor),
  });

  return {
    identify({ user, visitorId, visitorByAddress }, salts) {
      if (!visitorByAddress) return { account: user?.id ?? null, visitor: visitorId };
      // Without a cookie, shared address and browser identify a visitor for at most a day, and no account.
      return user === null
        ? { account: null, visitor: tag(current, visitorId, ...salts) }
        : { account: user.id, visitor: null };
    },
    tagOf,
    keysOf: async (userId) => [await tagOf(userId), userId],
    async seal({ account, visitor }, message) {
      const secret = Buffer.from(JSON.stringify([account, visitor]).padEnd(SEALED_LENGTH));
      return dataKeys.seal(secret, ownerOf(message), message.createdAt);
    },
    async senderOf(message) {
      const { sealedSender } = message;
      const opened = sealedSender ? await dataKeys.open(sealedSender, ownerOf(message)) : null;
      if (opened === null) return { account: null, visitor: null };
      const [account, visitor] = JSON.parse(opened.toString()) as [number | null, string | null];
      return { account, visitor };
    },
    async sealTrace(trace, { id, createdAt }) {
      const sealedSender = await dataKeys.sealEnvelope(traceToSeal(trace), traceOwner(id), createdAt);
      if (sealedSender === null) throw new Error('The retention of a new message is over.');
      return sealedSender;
    },
    tagsOf: (sender) => tagsUnder(current, sender),
    allTagsOf: (sender) =>
      secrets.flatMap((secret) => {
        const { account, visitor } = tagsUnder(secret, sender);
        return [account, visitor].filter((known) => known !== null);
      }),
    reporterTag: ({ user, ip }) =>
      user === null ? tag(current, 'network', clientNetwork(ip)) : tag(current, 'reporter', user.id),
  };
}
