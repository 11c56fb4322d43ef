import { useTranslation } from 'react-i18next';
import type { AuditEntry } from './types.js';

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Texts for the details of a log entry. Missing details are left out. */
export function useAuditDetails({ details }: AuditEntry): string[] {
  const { t } = useTranslation();
  const { records, newestId, oldestId, recipientId, byText, conversations, deleted, conversationId, username } =
    details;
  return [
    isNumber(records) && t('admin.audit.records', { count: records }),
    isNumber(oldestId) && isNumber(newestId) && t('admin.audit.range', { from: oldestId, to: newestId }),
    isNumber(recipientId) && t('admin.audit.recipient', { id: recipientId }),
    byText === true && t('admin.audit.byText'),
    isNumber(conversations) && t('admin.audit.conversations', { count: conversations }),
    isNumber(deleted) && t('admin.audit.conversations', { count: deleted }),
    isNumber(conversationId) && t('admin.audit.conversation', { id: conversationId }),
    typeof username === 'string' && t('admin.audit.account', { username: `\u2066@${username}\u2069` }),
  ].filter((detail) => detail !== false);
}
