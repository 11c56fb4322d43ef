import { AppError } from '@najwa/common/errors';
import { isForm, type Caller, type Handlers, type LimitedHandler } from '@najwa/common/http';
import { keptAddress, WAY_BACK_HEADER, type Identity } from '@najwa/common/identity';
import { readSubmission } from '@najwa/common/limits';
import { PROOF_HEADER } from '@najwa/product';
import type { SenderTrace } from '@najwa/proto/events';
import type { Answer, ParsedBody } from '@najwa/proto/http';
import type { Request } from 'express';
import { findOwnConversation, followingOf, requireTurn } from '../conversations/following.js';
import { presenterOf, type WayBack } from '../inbox/present.js';
import { callerOf } from '../sender-links/routes.js';
import { openWayBack, type SenderLinksDeps } from '../sender-links/ways-back.js';
import type { EarlierMessage } from '../store/message-record.js';
import { admitSender, type Following, type SendingDeps } from './admission.js';
import { replay } from './retries.js';
import { addresseeOf, partsOf, sendMessage, sendVoiceMessage, type Origin, type OutgoingVoice } from './send.js';

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

export function sendingHandlers(deps: SendingDeps & SenderLinksDeps) {
  const limit =
    (kind: 'text' | 'voice') =>
    async ({ identity, request }: Pick<Caller<'createMessage'>, 'identity' | 'request'>) => {
      requireSameSender(request, identity);
      return admitSender(deps, identity, kind, request.get('idempotency-key'));
    };

  const sendText = async (
    { sender, request, following, ...message }: TextCall,
    earlier: EarlierMessage | null,
  ): Promise<Answer<'createMessage'>> => {
    const { userId, content, promptId, imageUrl: image = null, later: isLater = false } = message;
    const parts = [addresseeOf(userId, following), content, image?.digest ?? '', ...partsOf(promptId, isLater)];
    const submission = readSubmission(request.get('idempotency-key'), sender, parts);
    const wayBack = following ? undefined : request.get(WAY_BACK_HEADER);
    const present = await presenterOf(deps);
    if (earlier)
      return present.sentView({ message: replay(earlier, { submission, content }), wayBack: wayBack ?? null, isLater });
    return present.sentView(
      await sendMessage(deps, originOf(request, sender, following), {
        userId,
        content,
        promptId: promptId ?? undefined,
        image: image?.bytes ?? null,
        submission,
        wayBack,
        isLater,
      }),
    );
  };

  const sendVoice = async (
    { sender, request, following, form }: VoiceCall,
    earlier: EarlierMessage | null,
  ): Promise<Answer<'createMessage'>> => {
    const idempotencyKey = request.get('idempotency-key');
    const sent = await sendVoiceMessage(deps, originOf(request, sender, following), { idempotencyKey, earlier, form });
    return (await presenterOf(deps)).sentView(sent);
  };

  const limitFollowUp = async (
    caller: Pick<Caller<'createMessage'>, 'identity' | 'request'>,
    conversation: WayBack,
  ): Promise<FollowUp> => {
    const earlier = await limit(isForm(caller.request) ? 'voice' : 'text')(caller);
    if (earlier === null) requireTurn(conversation);
    return { earlier, following: await followingOf(deps, conversation) };
  };

  const sendFollowUp = (
    { identity: sender, request, body, form }: FollowUpCall,
    { earlier, following }: FollowUp,
  ): Promise<Answer<'createMessage'>> =>
    form
      ? sendVoice({ sender, request, following, form }, earlier)
      : sendText({ sender, request, following, userId: following.userId, ...body }, earlier);

  return {
    createMessage: {
      limit: limit('text'),
      handle: ({ identity: sender, body, request }, earlier) => sendText({ sender, request, ...body }, earlier),
    } satisfies LimitedHandler<'createMessage', EarlierMessage | null>,

    uploadVoiceMessage: {
      limit: limit('voice'),
      handle: ({ identity: sender, request, form }, earlier) => sendVoice({ sender, request, form }, earlier),
    } satisfies LimitedHandler<'uploadVoiceMessage', EarlierMessage | null>,

    createFollowUp: {
      limit: async (caller) =>
        limitFollowUp(caller, await findOwnConversation(deps, caller.identity.user.id, caller.params.id)),
      handle: sendFollowUp,
    } satisfies LimitedHandler<'createFollowUp', FollowUp>,

    writeByWayBack: {
      limit: async (caller) => limitFollowUp(caller, await openWayBack(deps, deps.limits, callerOf(caller))),
      handle: sendFollowUp,
    } satisfies LimitedHandler<'writeByWayBack', FollowUp>,
  } satisfies Partial<Handlers<'messages'>>;
}

interface Call {
  sender: Identity;
  request: Request;
  following?: Following;
}

type TextCall = Call & ParsedBody<'createMessage'>;
type VoiceCall = Call & Pick<OutgoingVoice, 'form'>;

/** By either call. */
type FollowUpCall = Pick<Caller<'writeByWayBack'>, 'identity' | 'request'> &
  ({ body: ParsedBody<'writeByWayBack'>; form: undefined } | { body: undefined; form: OutgoingVoice['form'] });

interface FollowUp {
  earlier: EarlierMessage | null;
  following: Following;
}

function originOf(request: Request, sender: Identity, following: Following | undefined): Origin {
  const origin = { sender, trace: traceOf(request, sender), proof: request.get(PROOF_HEADER) };
  return following ? { ...origin, following } : origin;
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
