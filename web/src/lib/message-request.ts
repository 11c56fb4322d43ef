import { type Body, buildRequest, type BuiltRequest } from '@najwa/proto/http/client';

export interface Recipient {
  id: number;
  username: string;
  name: string;
  /** Token of the conversation that goes on, or the account's own message in it. */
  follows?: string | number | undefined;
}

export type Content = Body<'writeByWayBack'>;

/** A first message, or the next one of a conversation. */
export function messageRequest({ id, follows }: Recipient, content: Content, idempotencyKey: string): BuiltRequest {
  if (typeof follows === 'number')
    return buildRequest('createFollowUp', { params: { id: follows }, body: content, idempotencyKey });
  if (follows !== undefined)
    return buildRequest('writeByWayBack', { params: { token: follows }, body: content, idempotencyKey });
  return 'audio' in content
    ? buildRequest('uploadVoiceMessage', { body: { userId: id, ...content }, idempotencyKey })
    : buildRequest('createMessage', { body: { userId: id, ...content }, idempotencyKey });
}
