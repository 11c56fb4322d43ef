import { useEffect, useState } from 'react';
import { saveWayBack } from '../../lib/kept-ways.js';
import { setAccount, startSending, sendNow, updateFlag } from '../../lib/outbox/page.js';
import { forgetOldWaiting } from '../../lib/outbox/send.js';
import { type Delivered, markKept, onOutboxChange, readOutbox, type Waiting } from '../../lib/outbox/store.js';
import { registerServiceWorker } from '../../lib/service-worker.js';
import { useGetUserQuery } from '../../shared/session/index.js';

const EMPTY: { waiting: Waiting[]; gone: Delivered[] } = { waiting: [], gone: [] };

const isEmpty = ({ waiting, gone }: typeof EMPTY) => waiting.length + gone.length === 0;

/** Keeps links of delivered messages, as the form does. */
async function saveWaysBack(gone: Delivered[]): Promise<void> {
  for (const message of gone) {
    if (message.isKept || message.way === null) continue;
    saveWayBack({ ...message.way, username: message.recipient.username, account: message.account });
    await markKept(message);
  }
}

/** Also follows other tabs. Starts sending. */
export function useOutbox() {
  const [shown, setShown] = useState(EMPTY);
  const { data: user } = useGetUserQuery();
  const account = user === undefined ? undefined : (user?.id ?? null);

  useEffect(() => {
    let isCurrent = true;
    // On the first input: later the connection may be lost.
    const register = () => void registerServiceWorker();
    document.addEventListener('focusin', register, { once: true });
    const read = async () => {
      const next = await readOutbox();
      if (!isCurrent) return;
      setShown((before) => (isEmpty(before) && isEmpty(next) ? before : next));
      await saveWaysBack(next.gone);
      await updateFlag();
    };
    const end = onOutboxChange(() => void read());
    void forgetOldWaiting().then(read).then(startSending);
    return () => {
      isCurrent = false;
      end();
      document.removeEventListener('focusin', register);
    };
  }, []);

  useEffect(() => {
    setAccount(account);
    // Messages may have waited for this account.
    if (account !== undefined) void sendNow();
  }, [account]);

  /** Other users of this browser must not read what an account wrote. */
  const isOwn = (message: { account: number | null }) => message.account === null || message.account === account;
  return { ...shown, isOwn };
}
