import { AppError } from '@najwa/common/errors';
import type { Caller, Handlers, LimitedHandler } from '@najwa/common/http';
import { keptAddress, WAY_BACK_HEADER, type Identity } from '@najwa/common/identity';
import { readSubmission } from '@najwa/common/limits';
import { PROOF_HEADER } from '@najwa/product';
import type { SenderTrace } from '@najwa/proto/events';
import type { Request } from 'express';
import { presenterOf } from '../inbox/present.js';
import type { EarlierMessage } from '../store/message-record.js';
import { admitSender, type SendingDeps } from './admission.js';
import { replay } from './retries.js';
import { partsOf, sendMessage, sendVoiceMessage } from './send.js';

const MAX_TRACE_LENGTH = 512;

/**
 * A queued message must not go out under another account.
 * @throws {AppError} `sender_changed`, `invalid_input`
 */
function requireSameSender(request: Request, { user }: Identity): void {
  const expected = request.get('sender-account');
  if (expected === undefined) return;
  if (!/^(none|[1-9]\d{0,15})$/.test(expected))
    throw new AppError({ code: 'invalid_input', message: 'Sender-Account is the id of an account, or none.' });
  if (expected !== String(user?.id ?? 'none'))
    throw new AppError({ code: 'sender_changed', message: 'This message was written with another account.' });
}

export function sendingHandlers(deps: SendingDeps): Pick<Handlers<'messages'>, 'createMessage' | 'uploadVoiceMessage'> {
  const limit =
    (kind: 'text' | 'voice') =>
    async ({ identity, request }: Pick<Caller<'createMessage'>, 'identity' | 'request'>) => {
      requireSameSender(request, identity);
      return admitSender(deps, identity, kind, request.get('idempotency-key'));
    };

  return {
    createMessage: {
      limit: limit('text'),
      async handle({ identity, body: { userId, content, promptId, imageUrl: image = null }, request }, earlier) {
        const parts = [String(userId), content, image?.digest ?? '', ...partsOf(promptId)];
        const submission = readSubmission(request.get('idempotency-key'), identity, parts);
        const wayBack = request.get(WAY_BACK_HEADER);
        const present = await presenterOf(deps);
        if (earlier)
          return present.sentView({ message: replay(earlier, { submission, content }), wayBack: wayBack ?? null });
        const message = {
          userId,
          content,
          promptId: promptId ?? undefined,
          image: image?.bytes ?? null,
          submission,
          wayBack,
        };
        return present.sentView(await sendMessage(deps, originOf(request, identity), message));
      },
    } satisfies LimitedHandler<'createMessage', EarlierMessage | null>,

    uploadVoiceMessage: {
      limit: limit('voice'),
      async handle({ identity, request, form }, earlier) {
        const idempotencyKey = request.get('idempotency-key');
        const sent = await sendVoiceMessage(deps, originOf(request, identity), { idempotencyKey, earlier, form });
        return (await presenterOf(deps)).sentView(sent);
      },
    } satisfies LimitedHandler<'uploadVoiceMessage', EarlierMessage | null>,
  };
}

function originOf(request: Request, sender: Identity) {
  return { sender, trace: traceOf(request, sender), proof: request.get(PROOF_HEADER) };
}

/** Only the tracking service reads it. */
function traceOf(request: Request, sender: Identity): SenderTrace {
  const header = (name: string): string => (request.get(name) ?? '').slice(0, MAX_TRACE_LENGTH);
  const isAllKept = sender.kept === undefined;
  return {
    ipAddress: keptAddress(sender),
    // The gateway has taken out what must not be kept of it.
    userAgent: header('user-agent'),
    referrer: isAllKept ? header('referer') : '',
    language: isAllKept ? header('accept-language') : '',
  };
}
