import { coarseAddress, coarseUserAgent } from '@najwa/common';
import { createLogger } from '@najwa/common/logging';
import { Database } from '@najwa/common/mongo';
import { createRetention } from '@najwa/common/retention';
import { DataKeys, createEnvironmentKeyWrapper, traceOwner, traceToSeal } from '@najwa/product';
import { mongo } from 'mongoose';
import type { KeepLessConfig, Stores } from './stores.js';

/** How much may stay of what is stored. */
export type Kept = 'coarse' | 'off';

interface Place {
  service: string;
  collection: string;
  /** Fields with an address, a user agent, and a described device. */
  address?: string;
  userAgent?: string;
  device?: string;
}

/** Every place where services store an address or a device as such. */
const PLACES: readonly Place[] = [
  { service: 'admin', collection: 'audit_log', address: 'ipAddress' },
  { service: 'chatbot', collection: 'chat_bot_messages', address: 'ipAddress', userAgent: 'userAgent' },
  { service: 'auth', collection: 'sessions', device: 'device' },
  { service: 'messages', collection: 'push_subscriptions', device: 'device' },
];

const TRACES = 'sender_tracking_info';
const BATCH = 500;

type Reduced = Record<string, unknown>;
type Change = { $set: Reduced } | { $unset: Reduced };

/** @param reduce gives the change of a document, or undefined if there is nothing to take away */
async function changeEach(
  collection: mongo.Collection,
  filter: mongo.Filter<mongo.Document>,
  reduce: (document: mongo.WithId<mongo.Document>) => Change | undefined | Promise<Change | undefined>,
): Promise<number> {
  let changed = 0;
  let batch: mongo.AnyBulkWriteOperation[] = [];
  const write = async (): Promise<void> => {
    if (batch.length > 0) changed += (await collection.bulkWrite(batch, { ordered: false })).modifiedCount;
    batch = [];
  };
  for await (const document of collection.find(filter, { sort: { _id: 1 }, batchSize: BATCH })) {
    const update = await reduce(document);
    if (update !== undefined) batch.push({ updateOne: { filter: { _id: document._id }, update } });
    if (batch.length === BATCH) await write();
  }
  await write();
  return changed;
}

function reducedFields({ address, userAgent, device }: Place, document: mongo.Document, kept: Kept): Reduced {
  const fields: Reduced = {};
  const text = (name: string): string => String(document[name] ?? '');
  if (address !== undefined) fields[address] = kept === 'off' ? '' : coarseAddress(text(address));
  if (userAgent !== undefined) fields[userAgent] = kept === 'off' ? '' : coarseUserAgent(text(userAgent));
  if (device !== undefined) {
    const { kind = '' } = (document[device] ?? {}) as { kind?: string };
    fields[device] = { browser: '', operatingSystem: '', kind: kept === 'off' ? '' : kind };
  }
  return fields;
}

async function reduceTrace(dataKeys: DataKeys, { messageId, sealedTrace, createdAt }: mongo.Document): Promise<Change> {
  const gone = { $unset: { sealedTrace: 1 } };
  const owner = traceOwner(Number(messageId));
  const opened = await dataKeys.open(String(sealedTrace), owner);
  if (opened === null) return gone;
  const { ipAddress, device } = JSON.parse(opened.toString()) as { ipAddress: string; device: string };
  const trace = {
    ipAddress: coarseAddress(ipAddress),
    userAgent: '',
    referrer: '',
    browser: '',
    operatingSystem: '',
    device,
    location: '',
    language: '',
    acceptedLanguages: [],
  };
  const sealed = await dataKeys.seal(traceToSeal(trace), owner, createdAt as Date);
  return sealed === null ? gone : { $set: { sealedTrace: sealed } };
}

async function reduceTraces(
  collection: mongo.Collection,
  { mongoUrl, prefix, senderKeys, retentionDays }: KeepLessConfig,
): Promise<number> {
  const logger = createLogger({ service: 'keep-less', level: 'warn' });
  const database = new Database({ url: mongoUrl, database: `${prefix}_tracking` }, logger);
  await database.connect();
  try {
    const dataKeys = new DataKeys({
      connection: database.connection,
      wrapper: createEnvironmentKeyWrapper(senderKeys),
      retention: createRetention(retentionDays),
      bounds: { allows: () => Promise.resolve(false) },
    });
    return await changeEach(collection, { sealedTrace: { $gt: '' } }, (record) => reduceTrace(dataKeys, record));
  } finally {
    await database.close();
  }
}

/**
 * Makes what services have stored of callers' addresses and devices coarse, or empties it. Safe to repeat, and while they run.
 * @returns how many documents changed, by collection
 */
export async function keepLess(
  { databaseOf }: Stores,
  kept: Kept,
  config: KeepLessConfig,
): Promise<Record<string, number>> {
  const changed: Record<string, number> = {};
  for (const place of PLACES) {
    const { service, collection } = place;
    const stored = [place.address, place.userAgent].filter((name) => name !== undefined);
    const filter = place.device === undefined ? { $or: stored.map((name) => ({ [name]: { $gt: '' } })) } : {};
    changed[`${service}  ${collection}`] = await changeEach(
      databaseOf(service).collection(collection),
      filter,
      (document) => ({ $set: reducedFields(place, document, kept) }),
    );
  }
  const traces = databaseOf('tracking').collection(TRACES);
  changed[`tracking  ${TRACES}`] =
    kept === 'off'
      ? (await traces.updateMany({ sealedTrace: { $gt: '' } }, { $unset: { sealedTrace: 1 } })).modifiedCount
      : await reduceTraces(traces, config);
  return changed;
}
