import type { Answer } from '@najwa/proto/http';
import type { PasskeyRecord } from '../db/passkeys.js';
import type { SessionRecord } from '../db/sessions.js';
import type { PromptRecord } from '../db/users.js';

export const presentPrompt = ({ id, content, createdAt }: PromptRecord): Answer<'createPrompt'> => ({
  id,
  content,
  createdAt: createdAt.toISOString(),
});

export function presentPasskey({ passkeyId, device, createdAt, lastUsedAt }: PasskeyRecord): Answer<'createPasskey'> {
  const { browser, operatingSystem, kind } = device;
  return {
    id: passkeyId,
    device: { browser, operatingSystem, kind },
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

export function presentSession(
  { sessionId, device, createdAt, lastSeenAt }: SessionRecord,
  currentSessionId: string,
): Answer<'listSessions'>[number] {
  const { browser, operatingSystem, kind } = device;
  return {
    id: sessionId,
    device: { browser, operatingSystem, kind },
    createdAt: createdAt.toISOString(),
    lastSeen: lastSeenAt.toISOString(),
    isCurrent: sessionId === currentSessionId,
  };
}
