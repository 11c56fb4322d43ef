import { useState } from 'react';
import { isApiError } from '../../api/api-error.js';
import { useOutcome } from '../../ui/index.js';
import { useLanguage, useTranslation } from '../../i18n/index.js';
import {
  useCreatePushSubscriptionMutation,
  useDeletePushSubscriptionMutation,
  useGetPushSubscriptionsQuery,
  useLazyGetPushKeyQuery,
  type PushSubscription,
} from './push-api.js';
import { pushAbility, subscribeBrowser, type PushAbility } from './push-browser.js';
import { keepSubscription, keptSubscription } from '../../lib/push-subscriptions.js';
import { accountHere } from '../../lib/signed-in.js';

const FIRST_KINDS: PushSubscription['kinds'] = ['message', 'reply'];

/** Night hours in the device's time zone. Null if unknown. */
export function firstQuiet(): PushSubscription['quiet'] {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone === undefined || timeZone === 'Etc/Unknown' ? null : { from: '23:00', to: '07:30', timeZone };
}

/** The server may not know the zone, such as an offset or a new one. */
const isZoneRefused = (error: unknown): boolean => isApiError(error) && error.fields['quiet.timeZone'] !== undefined;

/** Reports failures. @returns null if it failed or was not allowed */
export function useSubscribe() {
  const { t } = useTranslation();
  const say = useOutcome();
  const { language } = useLanguage();
  const [getKey] = useLazyGetPushKeyQuery();
  const [create] = useCreatePushSubscriptionMutation();
  const [isSubscribing, setIsSubscribing] = useState(false);
  const [ability, setAbility] = useState<PushAbility>(pushAbility);

  const subscribe = async (wayBack?: string): Promise<PushSubscription | null> => {
    setIsSubscribing(true);
    try {
      const subscription = await subscribeBrowser(async () => (await getKey().unwrap()).publicKey);
      if (subscription === null) {
        say.toast({ variant: 'warning', title: t('notices.refused'), text: t('notices.refusedText') });
        return null;
      }
      const settings = { subscription, kinds: FIRST_KINDS, language, ...(wayBack !== undefined && { wayBack }) };
      const created = await create({ ...settings, quiet: firstQuiet() })
        .unwrap()
        .catch((error: unknown) => {
          if (!isZoneRefused(error)) throw error;
          return create({ ...settings, quiet: null }).unwrap();
        });
      if (wayBack === undefined)
        keepSubscription({ id: created.id, endpoint: subscription.endpoint, account: accountHere() });
      return created;
    } catch (error) {
      const text = isApiError(error) ? say.errors.text(error) : t('notices.unreachable');
      say.toast({ variant: 'destructive', title: t('notices.failed'), text });
      return null;
    } finally {
      setIsSubscribing(false);
      setAbility(pushAbility());
    }
  };
  return { subscribe, isSubscribing, ability };
}

export function usePush() {
  const { data: browsers, error, refetch, isFetching } = useGetPushSubscriptionsQuery();
  const { subscribe, isSubscribing, ability } = useSubscribe();
  const [remove, removing] = useDeletePushSubscriptionMutation();
  const kept = keptSubscription();
  const own = browsers?.find(({ id }) => id === kept);

  const turnOn = async () => {
    await subscribe();
  };
  /** @returns the error, if any. One already gone is a success. */
  const stop = async (id: string): Promise<unknown> => {
    const { error: fault } = await remove({ id });
    if (fault !== undefined && !(isApiError(fault) && fault.status === 404)) return fault;
    if (id === kept) keepSubscription(null);
    return undefined;
  };
  return {
    browsers,
    own,
    error,
    refetch,
    isFetching,
    ability,
    turnOn,
    isTurningOn: isSubscribing,
    stop,
    stopping: removing.isLoading ? removing.originalArgs?.id : undefined,
  };
}
