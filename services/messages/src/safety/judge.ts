import { createHmac } from 'node:crypto';
import type { Identity } from '@najwa/common/identity';
import { clientNetwork } from '@najwa/common/limits';
import type { Logger } from '@najwa/common/logging';
import { createWordMatcher, listMatcher, prepareText, type WordMatcher } from '@najwa/proto/words';
import { LRUCache } from 'lru-cache';
import type { Aside, MessageRecord, SenderTags } from '../store/message-record.js';
import type { KnownSender, SenderVault } from '../store/sender-vault.js';
import type { Filters, InboxRules, InboxRulesRepository, ReceivingRule, RulesState } from './rules-store.js';
import { SITE, type Sanction, type SanctionRepository } from './sanctions-store.js';
import type { NetworkSalts } from './salts-store.js';

export interface Judgement {
  tags: SenderTags;
  known: KnownSender;
  verdict: Aside | null;
  /** The block that matched by network alone. */
  networkBlock: number | null;
  /** Undefined if only auth knows the rule. */
  receiving: ReceivingRule | undefined;
}

export interface EarlierSenders {
  tags: SenderTags[];
  known: KnownSender[];
}

const NONE_EARLIER: EarlierSenders = { tags: [], known: [] };

interface CompiledRules {
  version: number;
  key: string;
  receiving: ReceivingRule | undefined;
  accounts: Set<string>;
  visitors: Set<string>;
  /** Network tag → block id. */
  networks: Map<string, number>;
  findWord: (content: string) => string | undefined;
}

const TAG_LENGTH = 22;

/** In blocks and words. About 100 MB when full. */
const MAX_CACHED_ENTRIES = 200_000;

/** @returns the account's word, or the name of the ready list */
export function filterOf({ words, lists }: Filters): (content: string) => string | undefined {
  if (words.length === 0 && lists.length === 0) return () => undefined;
  const matchers: [WordMatcher, string | undefined][] = [
    [createWordMatcher(words), undefined],
    ...lists.map((name): [WordMatcher, string] => [listMatcher(name), name]),
  ];
  return (content) => {
    const text = prepareText(content);
    // Runs every matcher, so that timing does not reveal which one matched.
    const found = matchers.map(([matcher, name]) => {
      const word = matcher.find(text);
      return word && (name ?? word);
    });
    return found.find((word) => word !== undefined);
  };
}

function compile({ version, key, receiving, blocks, ...filters }: InboxRules): CompiledRules {
  return {
    version,
    key,
    receiving,
    accounts: new Set(blocks.flatMap(({ tags }) => tags.account ?? [])),
    visitors: new Set(blocks.map(({ tags }) => tags.visitor)),
    networks: new Map(blocks.flatMap(({ id, tags }) => tags.networks.map((tag): [string, number] => [tag, id]))),
    findWord: filterOf(filters),
  };
}

/**
 * Applies the recipient's rules. Constant work.
 * @param isVisitor only visitors can return under another cookie
 */
function judgeByRules(
  { accounts, visitors, networks, sharedBlocks, findWord }: CompiledRules & Pick<RulesState, 'sharedBlocks'>,
  tags: SenderTags | undefined,
  { content, isVisitor, earlier = [] }: { content: string; isVisitor: boolean; earlier?: SenderTags[] },
): { networkBlock: number | null; own: Aside | null } {
  const from = tags?.networks ?? [];
  const isKnown = [...earlier, ...(tags ? [tags] : [])].some(
    ({ account, visitor }) => visitors.has(visitor) || (account !== null && accounts.has(account)),
  );
  const networkBlock =
    isKnown || !isVisitor
      ? undefined
      : from.map((tag) => networks.get(tag)).find((block) => block !== undefined && !sharedBlocks.includes(block));
  const matched = findWord(content);
  const at = new Date();
  const own: Aside | null =
    isKnown || networkBlock !== undefined
      ? { reason: 'blocked', matched: null, at }
      : matched === undefined
        ? null
        : { reason: 'filtered', matched, at };
  return { networkBlock: networkBlock ?? null, own };
}

const verdictOf = (actionId: number | null, own: Aside | null): Aside | null =>
  actionId === null ? own : { reason: 'held', matched: null, at: new Date(), actionId };

export interface JudgeDeps {
  rules: InboxRulesRepository;
  sanctions: SanctionRepository;
  salts: NetworkSalts;
  senders: SenderVault;
  logger: Logger;
}

/** Exempts messages to oneself, which would reveal a suspension. */
const holdingOf = (userId: number, account: number | undefined, sanction: number | null): number | null =>
  account === userId ? null : sanction;

export class InboxJudge {
  readonly #deps;
  readonly #cache = new LRUCache<number, CompiledRules>({
    maxSize: MAX_CACHED_ENTRIES,
    sizeCalculation: ({ visitors, networks }) => 100 + visitors.size + networks.size,
  });
  #site: { version: number; byTag: Map<string, Sanction[]> } = { version: 0, byTag: new Map() };

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
  }

  /** Records a match by network. Best effort: the visitor's next message repeats it. */
  noteNetworkHit(userId: number, blockId: number, visitor: string): void {
    this.#deps.rules.noteNetworkHit(userId, blockId, visitor).catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'hit of a blocked network not noted');
    });
  }
  async receivingOf(userId: number): Promise<ReceivingRule | undefined> {
    return (await this.#current(userId)).receiving;
  }
  /** The moderators' action that would hold this sender's message. */
  async findHolding(userId: number, sender: Identity, earlier = NONE_EARLIER): Promise<number | null> {
    const [byTag, inUse] = await Promise.all([this.#sanctionsByTag(), this.#deps.salts.current()]);
    const known = this.#deps.senders.identify(sender, inUse);
    return holdingOf(userId, sender.user?.id, this.#sanctionOf([known, ...earlier.known], byTag));
  }
  /**
   * Constant work, so that timing reveals no verdict.
   * @param earlier those who wrote in the conversation before: a block or sanction holds for all of it
   */
  async judge(userId: number, sender: Identity, content: string, earlier = NONE_EARLIER): Promise<Judgement> {
    const { salts, senders } = this.#deps;
    const [now, byTag, inUse] = await Promise.all([this.#current(userId), this.#sanctionsByTag(), salts.current()]);
    const known = senders.identify(sender, inUse);
    const actionId = holdingOf(userId, sender.user?.id, this.#sanctionOf([known, ...earlier.known], byTag));
    const tags = senderTags(now.key, sender, inUse);
    const { networkBlock, own } = judgeByRules(now, tags, {
      content,
      isVisitor: sender.user === null,
      earlier: earlier.tags,
    });
    return { tags, known, networkBlock, receiving: now.receiving, verdict: verdictOf(actionId, own) };
  }
  /** By current sanctions and rules. */
  async judgeHeld(
    { userId, tags, content }: MessageRecord,
    sender: KnownSender,
    earlier = NONE_EARLIER,
  ): Promise<Omit<Judgement, 'tags' | 'known'>> {
    const [now, byTag] = await Promise.all([this.#current(userId), this.#sanctionsByTag()]);
    // A deleted account has neither.
    const isVisitor = sender.account === null && sender.visitor !== null;
    const { networkBlock, own } = judgeByRules(now, tags, { content, isVisitor, earlier: earlier.tags });
    const sanction = this.#sanctionOf([sender, ...earlier.known], byTag);
    const actionId = holdingOf(userId, sender.account ?? undefined, sanction);
    return { networkBlock, receiving: now.receiving, verdict: verdictOf(actionId, own) };
  }

  async #current(userId: number): Promise<CompiledRules & Pick<RulesState, 'sharedBlocks'>> {
    const { version, sharedBlocks } = await this.#deps.rules.stateOf(userId);
    const cached = this.#cache.get(userId);
    if (cached && version !== 0 && cached.version === version) return { ...cached, sharedBlocks };
    const compiled = compile(await this.#deps.rules.load(userId));
    this.#cache.set(userId, compiled);
    return { ...compiled, sharedBlocks };
  }
  async #sanctionsByTag(): Promise<Map<string, Sanction[]>> {
    if ((await this.#deps.rules.stateOf(SITE)).version !== this.#site.version) {
      const { version, sanctions: found } = await this.#deps.sanctions.load();
      const byTag = new Map<string, Sanction[]>();
      for (const sanction of found)
        for (const tag of sanction.tags) byTag.set(tag, [...(byTag.get(tag) ?? []), sanction]);
      this.#site = { version, byTag };
    }
    return this.#site.byTag;
  }
  #sanctionOf(known: KnownSender[], byTag: Map<string, Sanction[]>): number | null {
    const now = new Date();
    const inForce = known
      .flatMap((sender) => this.#deps.senders.allTagsOf(sender))
      .flatMap((tag) => (byTag.get(tag) ?? []).filter(({ until }) => until > now));
    return inForce[0]?.id ?? null;
  }
}

/**
 * Tags a sender under one recipient's key. Tags under different keys cannot be linked.
 * @param key of the recipient, base64url
 * @param salts network salts in use
 */
function senderTags(key: string, { user, visitorId, visitorByAddress, ip }: Identity, salts: string[]): SenderTags {
  const secret = Buffer.from(key, 'base64url');
  const tag = (...parts: string[]): string =>
    createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url').slice(0, TAG_LENGTH);
  const visitorTag = (): string => {
    if (!visitorByAddress) return tag('visitor', visitorId);
    // Other accounts may share the address and browser.
    if (user !== null) return tag('visitor of account', String(user.id));
    // Address and browser identify a visitor without a cookie, for at most a day.
    return tag('visitor', visitorId, ...salts);
  };
  return {
    account: user && accountTag(key, user.id),
    visitor: visitorTag(),
    networks: salts.map((salt) => tag('network', salt, clientNetwork(ip))),
  };
}

const accountTag = (key: string, userId: number): string =>
  createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(JSON.stringify(['account', userId]))
    .digest('base64url')
    .slice(0, TAG_LENGTH);
