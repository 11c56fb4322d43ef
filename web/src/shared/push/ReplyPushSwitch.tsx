import { useEffect, useState } from 'react';
import { SwitchRow } from '../../ui/index.js';
import { useLanguage, useTexts, useTranslation } from '../../i18n/index.js';
import { savedWaysBack } from '../../lib/kept-ways.js';
import {
  forgetReplySubscription,
  keepReplySubscription,
  listReplySubscriptions,
  type ReplySubscription,
} from '../../lib/push-subscriptions.js';
import { accountHere } from '../../lib/signed-in.js';
import { useDeletePushSubscriptionMutation, useLazyGetPushKeyQuery } from './push-api.js';
import { followChange } from './push-browser.js';
import { useSubscribe } from './use-push.js';

const TEXTS = ['notices'] as const;

/** Push for the reply to one message. Nothing where push is unsupported. */
export function ReplyPushSwitch({ token }: { token: string }) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const { language } = useLanguage();
  const { subscribe, isSubscribing, ability } = useSubscribe();
  const [remove, { isLoading: isRemoving }] = useDeletePushSubscriptionMutation();
  const [getKey] = useLazyGetPushKeyQuery();
  const [own, setOwn] = useState<ReplySubscription | null>(null);
  const path = `/r/${token}`;

  useEffect(() => {
    let isShown = true;
    const show = async () => {
      const find = async () => (await listReplySubscriptions()).find((reply) => reply.path === path) ?? null;
      const found = await find();
      if (isShown) setOwn(found);
      if (found === null) return;
      await followChange(async () => (await getKey().unwrap()).publicKey);
      const followed = await find();
      if (isShown) setOwn(followed);
    };
    // The next visit retries.
    if (ability === 'ready') show().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [ability, path, getKey]);

  const change = async (isOn: boolean) => {
    if (!isOn && own !== null) {
      // Already ended or not, this browser opens nothing for it any more.
      await remove({ id: own.id, wayBack: token });
      await forgetReplySubscription(own);
      setOwn(null);
      return;
    }
    const subscription = await subscribe(token);
    if (subscription === null) return;
    const kept = savedWaysBack().find((way) => way.path === path);
    const account = kept === undefined ? accountHere() : kept.account;
    const created = { id: subscription.id, path, language, account };
    await keepReplySubscription(created);
    setOwn(created);
  };

  if (ability === 'unsupported') return null;
  return (
    <SwitchRow
      label={t('notices.tellOfReply')}
      hint={t(ability === 'blocked' ? 'notices.blocked' : 'notices.tellOfReplyHint')}
      checked={own !== null}
      pending={isSubscribing || isRemoving}
      disabled={ability === 'blocked'}
      onChange={(isOn) => void change(isOn)}
    />
  );
}
