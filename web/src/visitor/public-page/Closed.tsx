import { LogIn } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { styled } from 'styled-components';
import { BOWL, ButtonLink, Icon, MessageShape } from '../../ui/index.js';
import { useFormats, useTexts, useTranslation } from '../../i18n/index.js';
import { readDraft } from '../../lib/drafts.js';
import { tab } from '../../lib/storage.js';
import { firstName, isolate } from '../../lib/text.js';
import { headline } from '../../theme/index.js';
import { OwnerBubble } from '../../shared/message/index.js';
import { type User, useCurrentUser } from '../../shared/session/index.js';
import type { PublicProfile } from './types.js';
import { closureFor, type Closure } from './closure.js';
import { KeepText } from './KeepText.js';

interface Props {
  owner: PublicProfile;
  user: User | null;
  closure: Closure;
  /** The current user is not known yet. */
  unknown: boolean;
}

export function Gate({ owner, children }: Pick<Props, 'owner'> & { children: ReactNode }) {
  const { user, loading } = useCurrentUser();
  const closure = closureFor(owner, user);
  // A shown composer stays: pausing the page must not discard its text.
  const [hasComposer, setHasComposer] = useState(closure === null);
  if (closure === null && !hasComposer) setHasComposer(true);
  return hasComposer || closure === null ? (
    children
  ) : (
    <Closed owner={owner} user={user} closure={closure} unknown={loading && closure.kind === 'accounts'} />
  );
}

const TEXTS = ['closed'] as const;

function Closed({ owner, user, closure, unknown }: Props) {
  useTexts(TEXTS);
  const draft = useMemo(() => (user === null ? null : readDraft(owner.id, user.id)), [owner.id, user]);
  const { t } = useTranslation();
  const { date } = useFormats();
  const { notice, minimumDays } = owner.receiving;
  const name = isolate(firstName(owner.name));
  // Not in the URL, which the site's log and the next page would see.
  const comeBack = () => tab.write('wanted', `/m/${owner.username}`);
  return (
    <Card element="section" state="none" aria-labelledby="closed-title" data-unknown={unknown ? '' : undefined}>
      <HeldGlyph viewBox="0 0 64 64" aria-hidden="true">
        <path d={BOWL} />
        <path
          fill="var(--line-strong)"
          transform="translate(0 15)"
          d="M29.15 7.85Q32.00 5.00 34.85 7.85L38.65 11.65Q41.50 14.50 38.65 17.35L34.85 21.15Q32.00 24.00 29.15 21.15L25.35 17.35Q22.50 14.50 25.35 11.65Z"
        />
      </HeldGlyph>
      <h2 id="closed-title">{t(`closed.${closure.kind}`, { name })}</h2>
      <p>
        {closure.kind === 'tooNew'
          ? t('closed.tooNewText', { count: minimumDays, date: date(closure.from.toISOString()) })
          : t(`closed.${closure.kind}Text`)}
      </p>
      {closure.kind === 'accounts' && (
        <Actions>
          <ButtonLink to="/auth?tab=login" variant="primary" onClick={comeBack}>
            <Icon of={LogIn} flip />
            {t('closed.signIn')}
          </ButtonLink>
          <ButtonLink to="/auth" onClick={comeBack}>
            {t('closed.signUp')}
          </ButtonLink>
        </Actions>
      )}
      {closure.kind === 'tooNew' && user !== null && draft !== null && (
        <KeepText recipient={owner.id} account={user.id} text={draft} />
      )}
      {notice !== '' && (
        <OwnerBubble owner={owner} premium={owner.isAdmin && owner.isVerified} text={notice}>
          {t('closed.word', { name })}
        </OwnerBubble>
      )}
    </Card>
  );
}

const Card = styled(MessageShape)`
  padding: 36px 28px 28px;
  box-shadow: var(--shadow-2);
  /* Keeps its space. before-paint.js knows whether a user was signed in. */
  :root[data-signed-in] &[data-unknown] {
    visibility: hidden;
  }
  h2 {
    margin-block-start: 14px;
    ${headline('30px', '27px', 1.4, 1.4)}
    overflow-wrap: anywhere;
  }
  h2 + p {
    margin-block-start: 4px;
    color: var(--ink-2);
  }
  ${({ theme }) => theme.media.phone} {
    padding: 32px 18px 18px;
  }
`;

const HeldGlyph = styled.svg`
  display: block;
  inline-size: 64px;
  block-size: 64px;
  fill: var(--ink-2);
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 10px;
  margin-block-start: 18px;
`;
