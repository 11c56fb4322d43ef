import { randomUUID } from 'node:crypto';
import { createEvent, type EventBus } from '@najwa/common/amqp';
import type { FileClaim } from '@najwa/proto/events';
import type { ReportRepository } from '../moderation/report-store.js';
import { updateOf } from '../store/events.js';
import type { MessageRecord } from '../store/message-record.js';
import type { AccountStore } from './account-store.js';

export interface FilesDeps {
  accounts: AccountStore;
  reports: ReportRepository;
  bus: EventBus;
}

function claimsOf(message: MessageRecord): FileClaim[] {
  const { imageName = '', audioName = '', isPublic = false, isReported = false } = updateOf(message).message ?? {};
  return [imageName, audioName]
    .filter((name) => name !== '')
    .map((name) => ({ name, isPublic, isReported, revision: message.revision }));
}

/** Media removes files that are not claimed. */
export async function answerForFiles({ accounts, reports, bus }: FilesDeps, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const ofMessages = (await accounts.findByFiles(names)).flatMap(claimsOf).filter(({ name }) => names.includes(name));
  const missing = names.filter((name) => !ofMessages.some((claim) => claim.name === name));
  const evidence = await reports.findFiles(missing);
  const claims = [...ofMessages, ...evidence.map((name) => ({ name, isPublic: false, isReported: true, revision: 0 }))];
  const released = missing.filter((name) => !evidence.includes(name));
  await bus.publish([createEvent(randomUUID(), { $case: 'filesAnswered', value: { claims, released } })]);
}
