import { useEffect, useState } from 'react';
import { SwitchRow } from '../../components/index.js';
import { useLanguage, useTexts, useTranslation } from '../../i18n/index.js';
import { useDeletePushSubscriptionMutation, useLazyGetPushKeyQuery } from './push-api.js';
import { forgetToldWay, keepToldWay, listToldWays, type ToldWay } from '../../lib/told-browser.js';
import { keptWays } from '../../lib/kept-ways.js';
import { accountHere } from '../../lib/remembered-user.js';
import { followChange } from './push-browser.js';
import { useSubscribe } from './use-push.js';

const TEXTS = ['notices'] as const;

/** Tells this browser when the reply to a message comes. Nothing where browsers cannot be told. @param token of the way back */
export function ReplyPushSwitch({ token }: { token: string }) {
  useTexts(TEXTS);
  const { t } = useTranslation();
  const { language } = useLanguage();
  const { subscribe, isSubscribing, ability } = useSubscribe();
  const [remove, { isLoading: isRemoving }] = useDeletePushSubscriptionMutation();
  const [getKey] = useLazyGetPushKeyQuery();
  const [told, setTold] = useState<ToldWay | null>(null);
  const path = `/r/${token}`;

  useEffect(() => {
    let isShown = true;
    const show = async () => {
      const find = async () => (await listToldWays()).find((way) => way.path === path) ?? null;
      const found = await find();
      if (isShown) setTold(found);
      if (found === null) return;
      await followChange(async () => (await getKey().unwrap()).publicKey);
      const followed = await find();
      if (isShown) setTold(followed);
    };
    // The next visit tries again.
    if (ability === 'ready') show().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [ability, path, getKey]);

  const change = async (isOn: boolean) => {
    if (!isOn && told !== null) {
      // It may have ended already. Either way, this browser opens nothing for it any more.
      await remove({ id: told.subscriptionId, wayBack: token });
      await forgetToldWay(told);
      setTold(null);
      return;
    }
    const subscription = await subscribe(token);
    if (subscription === null) return;
    const kept = keptWays().find((way) => way.path === path);
    const account = kept === undefined ? accountHere() : kept.account;
    const way = { subscriptionId: subscription.id, path, language, account };
    await keepToldWay(way);
    setTold(way);
  };

  if (ability === 'unsupported') return null;
  return (
    <SwitchRow
      label={t('notices.tellOfReply')}
      hint={t(ability === 'blocked' ? 'notices.blocked' : 'notices.tellOfReplyHint')}
      checked={told !== null}
      pending={isSubscribing || isRemoving}
      disabled={ability === 'blocked'}
      onChange={(isOn) => void change(isOn)}
    />
  );
}
